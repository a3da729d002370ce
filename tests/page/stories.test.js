// Every story on the page says of every law at every step what the core says on this machine,
// whichever way one steps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { nativeVerdicts } from './native.js';

test('at every step of every variant the laws stand as the native core says, on and back', () => visiting({}, async (page) => {
  const native = await nativeVerdicts();
  const links = await page.locator('.gallery a').evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  assert.deepEqual(links, native.map(({ variant }) => `#${variant}`), 'the gallery has every variant');
  // What is told is compared, not how it looks: without it a step takes half as long.
  await page.addStyleTag({ content: 'main { display: none }' });
  const wrong = [];
  for (const { variant, steps } of native) {
    const { on, back } = await page.evaluate(stepped, variant);
    compare(`${variant}, on`, steps, on, wrong);
    compare(`${variant}, back`, steps, back.reverse(), wrong);
  }
  assert.equal(wrong.length, 0, wrong.slice(0, 20).join('\n'));
}));

test('control: a law that stands otherwise at one step is found', () => {
  const wrong = [];
  compare('x', [[], ['no_lost_update']], [[], []], wrong);
  compare('y', [[]], [[], []], wrong);
  assert.equal(wrong.length, 2);
});

function compare(where, native, shown, wrong) {
  if (native.length !== shown.length) wrong.push(`${where}: ${native.length} steps, and the page has ${shown.length}`);
  native.forEach((laws, step) => {
    const there = shown[step] ?? [];
    if (laws.join() !== there.join()) wrong.push(`${where}, step ${step}: broken are ${laws}; on the page ${there}`);
  });
}

/** Runs in the page: steps through a variant by the keys, and back by the button. */
async function stepped(variant) {
  const one = (selector) => document.querySelector(selector);
  const turn = () => new Promise((next) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = next;
    port2.postMessage(0);
  });
  const drawn = async (is, what) => {
    for (let turns = 0; !is(); turns += 1) {
      if (turns > 2_000) throw new Error(`${variant}: ${what} is not drawn`);
      await turn();
    }
  };
  const key = (name) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
  const step = () => Number(/step (\d+) of/.exec(one('.caption').textContent)[1]);
  const broken = () => [...document.querySelectorAll('.laws tbody tr')]
    .filter((row) => row.querySelector('td.broken'))
    .map((row) => row.querySelector('b').textContent.replaceAll(' ', '_'));

  location.hash = variant;
  await drawn(() => one('.gallery .here a')?.hash === `#${variant}`, 'the story');
  const last = Number(one('input.time').max);
  key('Home');
  const [on, back] = [[], []];
  for (let at = 0; at <= last; at += 1) {
    if (at > 0) key('ArrowRight');
    await drawn(() => step() === at, `step ${at}`);
    on.push(broken());
  }
  const button = [...document.querySelectorAll('.player button')].find((it) => it.textContent === 'One event back');
  for (let at = last; at >= 0; at -= 1) {
    if (at < last) button.click();
    await drawn(() => step() === at, `step ${at}, back`);
    back.push(broken());
  }
  return { on, back };
}
