// What the page costs: nothing while it waits; the rest is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { costOfFrames, firstPicture, slowLine } from './frames.js';
import { countingWakeups, staysIdle } from './idle.js';

test('a page that waits does nothing: at first, paused midway, with a menu open, and at the end', () => visiting({ before: countingWakeups }, async (page) => {
  await staysIdle(page);
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => /step [2-9] of/.test(document.querySelector('.caption').textContent));
  await assert.rejects(staysIdle(page, 300), /requestAnimationFrame fired/, 'it plays');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.waitForTimeout(500); // what was under way for the last frame
  await staysIdle(page);
  await page.locator('.menus button').first().click();
  await page.waitForTimeout(500);
  await staysIdle(page);
  await page.keyboard.press('End');
  await page.waitForTimeout(500);
  await staysIdle(page);
}));

for (const [what, start] of [
  ['setInterval fired', () => setInterval(() => {}, 200)],
  ['setTimeout was called', () => { const again = () => setTimeout(again, 200); again(); }],
  ['requestAnimationFrame fired', () => { const again = () => requestAnimationFrame(again); again(); }],
  ['an animation runs', () => { document.body.animate({ opacity: [1, 0.5] }, { duration: 9, iterations: Infinity }); }],
  ['a worker is there', () => { globalThis.kept = new Worker(URL.createObjectURL(new Blob(['']))); }],
]) {
  test(`control: the idle check finds it when ${what}`, () => visiting({ before: countingWakeups }, async (page) => {
    await page.evaluate(start);
    await assert.rejects(staysIdle(page, 500), new RegExp(`not idle:[^]*${what}`));
  }));
}

/** What is played: what stands behind the `#`, and how many are put beside it. */
const SCENES = [
  ['the opening', '', 0],
  ['a long story', '#straggler.abort-and-drain', 0],
  ['four beside each other', '#redis.lock-only', 3],
  ['the longest story', '#partition.careless', 0],
];

for (const [what, at, beside] of SCENES) {
  test(`report: what a frame of the player costs in ${what}`, (t) => visiting({ at }, async (page) => {
    for (let many = 0; many < beside; many += 1) await page.locator('.compare').getByRole('button').first().click();
    await page.keyboard.press('Home');
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const cost = await costOfFrames(page, 180);
    t.diagnostic(told(cost));
    assert.equal(await page.getByRole('button', { name: 'Pause', exact: true }).count(), 1, 'it still plays');
    assert.ok(cost.script > 0 && cost.task >= cost.script, 'something was measured');
    assert.ok(cost.script < 30, told(cost)); // where others have the processor
  }));
}

test('report: what a step costs in four beside each other', (t) => visiting({ at: '#redis.lock-only' }, async (page) => {
  for (let many = 0; many < 3; many += 1) await page.locator('.compare').getByRole('button').first().click();
  await page.keyboard.press('Home');
  const cost = await costOfFrames(page, 120, () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  });
  t.diagnostic(told(cost));
  assert.ok(cost.script < 100, told(cost));
}));

function told({ script, task, groups }) {
  return `script ${script.toFixed(2)} ms, all work ${task.toFixed(2)} ms a frame; ${groups} groups (goal: 4 ms of script at 600)`;
}

test('control: 5 ms of work a frame are measured', () => visiting({}, async (page) => {
  const { script } = await costOfFrames(page, 60, () => {
    for (const end = performance.now() + 5; performance.now() < end;);
  });
  assert.ok(script > 1 && script < 6, `${script} ms`); // less than 5 where others have the processor
}));

test('report: when the first picture is there, over 10 Mbit/s with a cold cache', (t) => visiting({ before: slowLine }, async (page) => {
  t.diagnostic(`${(await firstPicture(page)).toFixed(0)} ms (goal: 1000 ms)`);
  assert.ok(await page.locator('.lanes .now').first().isVisible(), 'and it is the picture of the failure');
}));
