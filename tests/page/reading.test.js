// The page as a screen reader has it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';

/** Fails when what is found does not read like this. */
async function reads(locator, expected) {
  assert.equal(await locator.ariaSnapshot(), expected.trim());
}

test('a step: the player, the caption and the row of the event', () => visiting({}, async (page) => {
  await reads(page.getByRole('group', { name: 'Player' }), `
- group "Player":
  - slider "Time": "30"
  - button "One event back"
  - button "Play"
  - button "One event on"
  - button "To the first broken law"
  - button "Link to this moment"
  - group: More`);
  await reads(page.locator('.caption'), `
- paragraph: 36.1 s, step 30 of 35
- paragraph: "The store writes what A sent over B's version: the report is first half A, second half blank."
- paragraph: "At stake: no lost update No write lands on a version that its writer never saw."
- paragraph: "Broken by this:"
- list:
  - listitem: stale never admitted,
  - listitem: no lost update,
  - listitem: report stays whole,
  - listitem: no dual write`);
  const row = page.locator('.log tr[aria-current=step]');
  assert.deepEqual(await row.locator('td').allInnerTexts(), [
    '36.150 s', 'the store',
    "The store writes what A sent over B's version: the report is first half A, second half blank.",
    'stale never admitted\nno lost update\nreport stays whole\nno dual write',
  ]);
}));

test('the picture has a name, and the table of events says all that it shows', () => visiting({}, async (page) => {
  const lanes = page.getByRole('img', { name: /over true time; the table of events tells the same/ });
  assert.equal(await lanes.count(), 1);
  assert.equal(await page.getByRole('img', { name: /Who holds, who believes and what is under way now/ }).count(), 1);
  const table = page.getByRole('table', { name: 'lock only' });
  assert.equal(await table.getByRole('row').count(), 36, 'its head and 35 events');
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), ['When', 'Who', 'What happened', 'Breaks']);
}));

test('headings have an order without gaps, and every control has a name', () => visiting({}, async (page) => {
  const levels = await page.locator('h1, h2, h3, h4').evaluateAll((all) => all.map((it) => Number(it.tagName[1])));
  assert.equal(levels.filter((level) => level === 1).length, 1);
  levels.forEach((level, at) => assert.ok(at === 0 || level <= levels[at - 1] + 1, `${levels}`));
  const tree = await page.locator('body').ariaSnapshot();
  assert.doesNotMatch(tree, /^\s*- (button|slider|link|textbox)(:| \[|$)/m);
}));

test('steps are announced, and nothing is while it plays', () => visiting({}, async (page) => {
  const live = page.locator('[aria-live=polite]');
  await page.keyboard.press('Home');
  for (const step of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    assert.equal(await live.count(), 1);
    assert.match(await live.innerText(), new RegExp(`step ${step} of 35`));
  }
  await page.keyboard.press('5');
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  assert.equal(await live.count(), 0);
  await page.waitForFunction(() => !/step 3 of/.test(document.querySelector('.caption').textContent));
  assert.equal(await live.count(), 0, 'not at the next step either');
  await page.keyboard.press(' ');
  await live.waitFor();
}));
