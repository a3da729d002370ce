// The page fits every screen and shuts nobody out, in both colour schemes, whatever is open.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noGraveFinding } from './axe.js';
import { visiting } from './chromium.js';
import { picture } from './pictures.js';
import { DESK, PHONE, SCHEMES, SCREENS } from './screens.js';

/** What the page can show, and how one comes there. */
const OPEN = {
  'opening': async () => {},
  'paused midway': async (page) => {
    await page.keyboard.press('Home');
    await page.keyboard.press('5');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.waitForFunction(() => /step ([5-9]|\d\d) of/.test(document.querySelector('.caption').textContent));
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
  },
  'fenced': (page) => page.getByRole('button', { name: 'Turn fencing on' }).click(),
  'menu': (page) => page.locator('.menus').getByRole('button', { name: 'A', exact: true }).click(),
  'branches': async (page) => {
    await page.locator('.menus').getByRole('button', { name: 'A', exact: true }).click();
    await page.getByRole('button', { name: 'Crash A' }).click();
    await page.getByRole('button', { name: 'Beside it: as told' }).click();
  },
  'more': (page) => page.getByText('More', { exact: true }).click(),
  'keys': (page) => page.keyboard.press('?'),
  'link': (page) => page.keyboard.press('l'),
  'compare': async (page) => {
    for (const beside of [1, 2, 3]) await page.locator('.compare').getByRole('button').nth(beside).click();
  },
};
/** What only a narrow screen has. */
const NARROW = {
  'actors': (page) => page.getByRole('button', { name: 'Actors' }).tap(),
  'events': (page) => page.getByRole('button', { name: 'Events' }).tap(),
};
/** What is the same on all of them, and looked at on the first. */
const ALWAYS = ['.gallery', '.guide'];
/** What it shows because of its address. */
const AT = { 'embed': '?embed', 'notice': '#~CQ' };

for (const screen of SCREENS) {
  for (const scheme of SCHEMES) {
    test(`on a ${screen.name}, ${scheme}: it fits and has no grave finding, whatever is open`, async (t) => {
      const looked = async (page, name) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px too wide`);
        await noGraveFinding(page, name === 'opening' ? [] : ALWAYS);
        await page.evaluate(() => scrollTo(0, 0));
        await picture(page, `${name.replace(' ', '-')}-${screen.name}-${scheme}`);
      };
      await visiting({ screen, scheme }, async (page) => {
        for (const [name, open] of Object.entries(screen === PHONE ? { ...OPEN, ...NARROW } : OPEN)) {
          await t.test(name, async () => {
            await page.reload();
            await page.getByRole('main').waitFor();
            await open(page);
            await looked(page, name);
          });
        }
      });
      for (const [name, at] of Object.entries(AT)) {
        await t.test(name, () => visiting({ screen, scheme, at }, (page) => looked(page, name)));
      }
    });
  }
}

test('control: a button without a name is a grave finding', () => visiting({ screen: DESK }, async (page) => {
  await page.evaluate(() => document.body.append(document.createElement('button')));
  await assert.rejects(noGraveFinding(page), /button-name \(critical\)/);
}));
