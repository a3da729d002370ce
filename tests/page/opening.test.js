// The first five seconds: what is on the screen before anybody scrolls or reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { isOnScreen } from './on-screen.js';
import { SCREENS } from './screens.js';

const HEADLINE = "A woke up after 35 s and overwrote B's report.pdf";

for (const screen of SCREENS) {
  test(`on a ${screen.name} the failure, Play and the fence are on the screen at once`, () => visiting({ screen }, async (page) => {
    const headline = page.getByRole('heading', { level: 1 });
    assert.equal(await headline.innerText(), HEADLINE);
    await isOnScreen(headline, 'the headline');
    const play = page.getByRole('button', { name: 'Play', exact: true });
    const fence = page.getByRole('button', { name: 'Turn fencing on' });
    for (const [what, button] of [['Play', play], ['the fence', fence]]) {
      await isOnScreen(button, what);
      const { width, height } = await button.boundingBox();
      assert.ok(width >= 100 && height >= 44, `${what} is large: ${width} x ${height}`);
    }
    // Paused at the corrupting write: its broken document, and the playhead.
    await isOnScreen(page.locator('.lanes .now .corrupted').first(), 'the corrupted report');
    await isOnScreen(page.locator('.lanes .playhead'), 'the playhead');
    assert.equal(await page.evaluate(() => scrollY), 0);
    assert.equal(await page.getByRole('dialog').count(), 0, 'nothing lies over the page');
    assert.equal(await page.getByRole('status').innerText(), '');
  }));

  test(`on a ${screen.name} one press turns the fence on, and the old leader is refused`, () => visiting({ screen }, async (page) => {
    await page.getByRole('button', { name: 'Turn fencing on' }).click();
    const refused = page.getByRole('heading', { level: 1, name: /rejects A's write: \d+ < \d+/ });
    await refused.waitFor();
    await isOnScreen(refused, 'the headline');
    await isOnScreen(page.getByRole('button', { name: 'Turn fencing off' }), 'the fence');
    await isOnScreen(page.locator('.lanes .now .refused, .lanes .now .block').first(), 'the refusal');
    assert.equal(await page.locator('.laws td.broken', { hasText: /./ }).count(), 1, 'A still believes, and no more');
  }));
}

test('control: what is scrolled away, or under something, is not on the screen', () => visiting({}, async (page) => {
  await assert.rejects(isOnScreen(page.getByRole('contentinfo'), 'the end'), /is outside/);
  await page.evaluate(() => {
    const cover = document.createElement('div');
    cover.style.cssText = 'position:fixed;inset:0;z-index:99';
    document.body.append(cover);
  });
  await assert.rejects(isOnScreen(page.getByRole('heading', { level: 1 }), 'it'), /is under/);
}));
