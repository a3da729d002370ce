// The page fits every screen and shuts nobody out, in both colour schemes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noGraveFinding } from './axe.js';
import { visiting } from './chromium.js';
import { picture } from './pictures.js';
import { SCHEMES, SCREENS } from './screens.js';

for (const screen of SCREENS) {
  for (const scheme of SCHEMES) {
    test(`on a ${screen.name}, ${scheme}: it fits and has no grave finding`, () => visiting({ screen, scheme }, async (page) => {
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      await noGraveFinding(page);
      await picture(page, `opening-${screen.name}-${scheme}`);
    }));
  }
}

test('control: a button without a name is a grave finding', () => visiting({}, async (page) => {
  await page.evaluate(() => document.body.append(document.createElement('button')));
  await assert.rejects(noGraveFinding(page), /button-name \(critical\)/);
}));
