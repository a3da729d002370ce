// The picture in the README shows the page as it is. Pixels differ from machine to machine, so what
// is compared is what the picture says: what is on the opening screen, as a screen reader has it.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { DOCS } from './places.js';

const PICTURE = join(DOCS, 'page.webp');
const TEXT = join(DOCS, 'page.txt');
/** What is in the picture, from its top to its end. */
const PICTURED = ['header', '.headline', '.roll', '.player', '.side'];

test('the picture in the README shows the page as it is', () => visiting({}, async (page) => {
  const parts = await Promise.all(PICTURED.map((part) => page.locator(part).ariaSnapshot()));
  const shown = `${parts.join('\n')}\n`;
  if (process.env.FENCEGATE_RENEW === '1') {
    await writeFile(TEXT, shown);
    await writeFile(PICTURE, await webp(page));
  }
  const pictured = await readFile(TEXT, 'utf8');
  assert.ok(shown === pictured, `the page has changed: renew its picture with \`make picture\`, and look at it\n${change(pictured, shown)}`);
}));

/** What is on the screen, less than half as large as a PNG of it. */
async function webp(page) {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  return Buffer.from(data, 'base64');
}

/** The first line that is not what it was. */
function change(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = now.findIndex((line, index) => line !== old[index]);
  return `- ${old[at] ?? ''}\n+ ${now[at] ?? ''}`;
}
