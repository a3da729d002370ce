// What a visitor changes: faults fork branches, runs stand beside each other, switches and sliders
// play the story again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { isOnScreen } from './on-screen.js';
import { headline } from './said.js';
import { PHONE, SCREENS } from './screens.js';

const position = (page) => page.locator('.caption p').first().innerText();
const seek = (page, place) => page.getByRole('slider', { name: 'Time' }).fill(String(place));

test('a fault from the menu of an actor in the picture forks a branch, and the old future stays', () => visiting({}, async (page) => {
  await seek(page, 8);
  const before = await page.locator('.log tbody').innerText();
  await page.locator('.names').getByRole('button', { name: /^A / }).click();
  await page.getByRole('button', { name: 'Crash A' }).click();
  const branches = page.getByRole('group', { name: 'Branches' });
  assert.equal(await branches.getByRole('button', { pressed: true }).innerText(), 'A crashes at 1.0 s');
  assert.equal(await headline(page), 'A crashes');
  assert.match(await page.locator('.caption').innerText(), /step 9 of/);
  assert.doesNotMatch(await page.locator('.log tbody').innerText(), /A wakes up/);

  await branches.getByRole('button', { name: 'as told', exact: true }).click();
  assert.equal(await page.locator('.log tbody').innerText(), before, 'the story as it was told');
  await branches.getByRole('button', { name: 'A crashes at 1.0 s', exact: true }).click();
  await branches.getByRole('button', { name: 'Beside it: as told' }).click();
  assert.equal(await page.locator('.run').count(), 2);
  const heads = await page.locator('.run .head').allInnerTexts();
  assert.match(heads[0], /A crashes at 1\.0 s/);
  assert.match(heads[1], /breaks 5 laws/, 'the old future');
  assert.deepEqual(await page.locator('.laws thead th').allInnerTexts(), ['Law', 'lock only: A crashes at 1.0 s', 'lock only']);
  assert.deepEqual(await page.locator('.log caption').allInnerTexts(), ['lock only: A crashes at 1.0 s', 'lock only']);
}));

for (const screen of SCREENS) {
  test(`on a ${screen.name} a menu that is opened in the picture comes into sight, with its first commands`, () => visiting({ screen }, async (page) => {
    await page.locator('.names').getByRole('button', { name: /^A / }).click();
    await page.getByRole('button', { name: 'Pause A' }).waitFor();
    await isOnScreen(page.getByRole('button', { name: 'Pause A' }), 'the first command');
    await isOnScreen(page.getByRole('button', { name: 'Crash A' }), 'another one');
  }));
}

test('a message under way can be lost: by its arrow, by its node and by its name', () => visiting({}, async (page) => {
  for (const at of ['.lanes .flying .shaft', '.nodes .flying .thing', '.menus .row button >> nth=-1']) {
    await page.reload();
    await page.getByRole('main').waitFor();
    await seek(page, 29);
    await page.locator(at).first().click();
    await page.getByRole('button', { name: 'Lose it' }).click();
    assert.match(await page.getByRole('group', { name: 'Branches' }).innerText(), /a message is lost at 36.1 s/, at);
    assert.match(await page.locator('.log tr[aria-current]').innerText(), /lost/, at);
  }
}));

test('up to four variants stand beside each other and are scrubbed together; each can be taken away', () => visiting({}, async (page) => {
  const compare = page.locator('.compare');
  for (const many of [2, 3, 4]) {
    await compare.getByRole('button').first().click();
    assert.equal(await page.locator('.run').count(), many);
    assert.equal(await page.locator('.laws thead th').count(), many + 1);
    assert.equal(await page.locator('.log table').count(), many);
  }
  await compare.getByRole('button').first().click();
  assert.match(await page.getByRole('status').innerText(), /Four are beside each other already/);

  // One place in time for all: no playhead is ahead of another.
  const time = page.getByRole('slider', { name: 'Time' });
  for (const part of [0, 0.3, 0.8, 1]) {
    await time.fill(String(Math.round(part * Number(await time.getAttribute('max')))));
    const heads = await page.locator('.playhead').evaluateAll((all) => all.map((it) => Math.round(it.getBoundingClientRect().left)));
    assert.equal(new Set(heads).size, 1, `${heads}`);
  }
  assert.equal(await page.locator('.log tr[aria-current]').count(), 4, 'each is at a step of its own');
  for (const many of [3, 2, 1]) {
    await page.getByRole('button', { name: /^Take away/ }).last().click();
    assert.equal(await page.locator('.run').count(), many);
  }
  assert.equal(await page.getByRole('button', { name: /^Take away/ }).count(), 0, 'the last one stays');
}));

test('on a phone each law says of which run it speaks', () => visiting({ screen: PHONE }, async (page) => {
  await page.locator('.compare').getByRole('button', { name: 'fenced' }).click();
  const names = await page.locator('.laws tbody tr').first().locator('td[data-of]').evaluateAll((all) =>
    all.map((it) => getComputedStyle(it, '::before').content.includes(it.dataset.of) && it.dataset.of));
  assert.deepEqual(names, ['lock only', 'fenced']);
}));

test('lock only, a check at the proxy, a drain, a check at the store: beside each other they end differently', () => visiting({}, async (page) => {
  const compare = page.locator('.compare');
  for (const name of [/checked at the proxy$/, /drain/, /checked at the store$/]) await compare.getByRole('button', { name }).first().click();
  await page.keyboard.press('End');
  const verdicts = await page.locator('.run .head').evaluateAll((all) => all.map((it) => it.querySelector('.broken, .mended').textContent));
  assert.equal(verdicts.length, 4);
  assert.match(verdicts[0], /^breaks 5 laws$/);
  for (const verdict of verdicts.slice(1)) assert.match(verdict, /^(keeps every law|breaks one law)$/);
}));

test('a switch and a slider play the story again at once, and "as told" brings it back', () => visiting({}, async (page) => {
  const told = await headline(page);
  await page.getByRole('group', { name: 'Tokens are checked' }).getByRole('button', { name: 'at the store' }).click();
  assert.match(await headline(page), /^The store rejects A's write/);
  await page.getByRole('button', { name: 'As the story tells it' }).click();
  assert.equal(await headline(page), told);

  await page.getByRole('slider', { name: /^Pause/ }).fill('50000');
  assert.equal(await headline(page), "A woke up after 50 s and overwrote B's report.pdf");
  assert.match(await position(page), /^51\.1 s/);
  await page.getByRole('slider', { name: /^Lease/ }).fill('60000');
  assert.doesNotMatch(await page.locator('.laws').innerText(), /broken since/, 'the lease outlives the pause');
  await page.getByRole('button', { name: 'As the story tells it' }).click();
  assert.equal(await headline(page), told);
  assert.equal(await page.getByRole('button', { name: 'As the story tells it' }).count(), 0);
}));
