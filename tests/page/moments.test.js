// Each variant opens on the moment that says most, in sight; of each story there is a picture of it, to
// be looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { picture } from './pictures.js';

test('every variant opens on its moment, and the moment is in sight', (t) => visiting({ motion: 'reduce' }, async (page) => {
  const stories = await page.locator('.gallery > ol > li').evaluateAll((all) => all.map((it) =>
    [...it.querySelectorAll('a')].map((link) => link.hash)));
  assert.ok(stories.length >= 16, `${stories.length} stories`);
  for (const [at, variants] of stories.entries()) {
    for (const variant of variants) {
      await page.evaluate((hash) => { location.hash = hash; scrollTo(0, 0); }, variant);
      await page.locator(`.gallery .here a[href="${variant}"]`).waitFor();
      const { head, from, to } = await page.evaluate(() => {
        const [line, names, roll] = ['.playhead', '.names', '.roll'].map((it) => document.querySelector(it).getBoundingClientRect());
        return { head: (line.left + line.right) / 2, from: names.right, to: roll.right };
      });
      assert.ok(from < head && head < to, `${variant}: the playhead is at ${head}, in sight is ${from} to ${to}`);
      if (variant !== variants[0]) continue;
      // The first one goes wrong.
      assert.notEqual(await page.locator('.laws td.broken').count(), 0, variant);
      const name = `${String(at + 1).padStart(2, '0')}-${variant.slice(1).replace('.', '-')}`;
      await picture(page, name);
      t.diagnostic(`${name}: ${await page.getByRole('heading', { level: 1 }).innerText()}`);
    }
  }
}));
