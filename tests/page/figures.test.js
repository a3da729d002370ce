// What the page costs: nothing while it waits; the rest is reported.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { costOfFrames, firstPicture, slowLine } from './frames.js';
import { countingWakeups, staysIdle } from './idle.js';

test('a page that waits does nothing', () => visiting({ before: countingWakeups }, async (page) => {
  await staysIdle(page);
  await page.getByRole('button', { name: 'The new leader writes' }).click();
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

test('report: what a frame costs when a case is chosen before each', (t) => visiting({}, async (page) => {
  const cost = await costOfFrames(page, 120, (frame) => {
    const cases = document.querySelectorAll('.cases button');
    cases[frame % cases.length].click();
  });
  t.diagnostic(`script ${cost.script.toFixed(2)} ms, all work ${cost.task.toFixed(2)} ms a frame; ${cost.groups} groups (goal: 4 ms of script at 600)`);
  assert.ok(cost.script > 0 && cost.task >= cost.script, 'something was measured');
}));

test('control: 5 ms of work a frame are measured', () => visiting({}, async (page) => {
  const { script } = await costOfFrames(page, 60, () => {
    for (const end = performance.now() + 5; performance.now() < end;);
  });
  assert.ok(script > 1 && script < 6, `${script} ms`); // less than 5 where others have the processor
}));

test('report: when the first picture is there, over 10 Mbit/s with a cold cache', (t) => visiting({ before: slowLine }, async (page) => {
  t.diagnostic(`${(await firstPicture(page)).toFixed(0)} ms (goal: 1000 ms)`);
}));
