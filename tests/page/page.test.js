// The built page as a visitor meets it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { SCREENS } from './screens.js';

for (const screen of SCREENS) {
  test(`on a ${screen.name}: the old leader is rejected, its successor admitted`, () => visiting({ screen }, async (page) => {
    const verdict = page.getByRole('status');
    await verdict.filter({ hasText: '412' }).waitFor();
    assert.match(await verdict.innerText(), /Rejected[\s\S]*412 Precondition Failed[\s\S]*stale/);

    await page.getByLabel('Token', { exact: true }).fill('8');
    await page.getByLabel('Holder', { exact: true }).selectOption('worker-b');
    await verdict.filter({ hasText: 'Admitted' }).waitFor();
    assert.match(await verdict.innerText(), /Admitted[\s\S]*200 OK/);

    await page.getByRole('button', { name: 'A borrowed token' }).click();
    await verdict.filter({ hasText: '409' }).waitFor();
    assert.equal(await page.getByLabel('Holder', { exact: true }).inputValue(), 'worker-a');
  }));
}

test('with the keyboard alone', () => visiting({}, async (page) => {
  await page.getByLabel('Token', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: '409' }).waitFor();
  await page.getByLabel(/^Fencegate/).focus();
  await page.keyboard.press('ArrowDown');
  assert.ok(await page.getByLabel(/^Somebody else/).isChecked());
}));
