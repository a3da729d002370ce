// Everything with the keyboard alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { headline, step } from './said.js';

/** What has the focus: its role and name, as a screen reader would say them. */
const focused = (page) => page.evaluate(() => {
  const it = document.activeElement;
  const name = it.getAttribute('aria-label') ?? it.closest('label')?.textContent ?? it.textContent;
  return `${it.tagName.toLowerCase()} ${name.trim()}`;
});

test('Tab comes to the fence, the slider, Play, the menus, the laws, the log, the switches, the stories and the colours, in this order', () => visiting({}, async (page) => {
  const reached = [];
  for (let many = 0; many < 400; many += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now.startsWith('body')) break;
    reached.push(now);
    const { width, outline } = await page.evaluate(() => {
      const it = document.activeElement;
      return { width: it.getBoundingClientRect().width, outline: getComputedStyle(it).outlineStyle };
    });
    assert.ok(width > 0 && outline !== 'none', `${now} is seen to have the focus`);
  }
  let from = 0;
  for (const wanted of ['button Keys', 'button Turn fencing on', 'input Time', 'button One event back', 'button Play',
    'button One event on', 'summary More', 'button the issuer', 'button broken since 36.1 s', 'button 0.000 s',
    'button at the store', /^input Lease/, 'button fenced', /^a A lock with a time limit/, 'a lock only', 'button System']) {
    const is = (it) => (typeof wanted === 'string' ? it === wanted : wanted.test(it));
    const at = reached.findIndex((it, index) => index >= from && is(it));
    assert.ok(at >= from, `${wanted} comes after ${reached[from - 1]}:\n${reached.slice(from).join('\n')}`);
    from = at + 1;
  }
}));

test('keys step, jump, go to the ends and to the first broken law, and turn the fence', () => visiting({}, async (page) => {
  const press = (key) => page.keyboard.press(key);
  assert.equal(await step(page), 30);
  await press('ArrowLeft');
  assert.equal(await step(page), 29);
  await press('ArrowRight');
  assert.equal(await step(page), 30);
  await press('Home');
  assert.equal(await step(page), 0);
  assert.equal(await headline(page), 'Nothing has happened yet');
  await press('Shift+ArrowRight');
  assert.equal(await headline(page), 'A is paused');
  await press('Shift+ArrowRight');
  assert.match(await headline(page), /^A still thinks that it may write|^A wakes up/);
  await press('Shift+ArrowLeft');
  assert.equal(await headline(page), 'A is paused');
  await press('End');
  assert.equal(await step(page), 35);
  await press('b');
  assert.equal(await step(page), 28);
  await press('f');
  await page.getByRole('button', { name: 'Turn fencing off' }).waitFor();
  await press('F');
  await page.getByRole('button', { name: 'Turn fencing on' }).waitFor();
  await press('4');
  await press('Home');
  await press(' ');
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await press(' ');
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await press('t');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
}));

test('keys that mean something to what has the focus are left to it', () => visiting({}, async (page) => {
  await page.getByRole('slider', { name: 'Time' }).focus();
  await page.keyboard.press('ArrowLeft');
  assert.equal(await step(page), 29, 'one, not two');
  await page.getByRole('button', { name: 'One event on' }).focus();
  await page.keyboard.press(' ');
  assert.equal(await step(page), 30, 'the button, and it does not play');
  assert.equal(await page.getByRole('button', { name: 'Play', exact: true }).count(), 1);
  await page.keyboard.press('Control+f');
  assert.equal(await page.getByRole('button', { name: 'Turn fencing on' }).count(), 1, "the browser's own");
}));

test('the slider says the time, the step and what it is', () => visiting({}, async (page) => {
  const says = () => page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuetext');
  assert.equal(await says(), "36.1 s, step 30 of 35: A woke up after 35 s and overwrote B's report.pdf");
  await page.keyboard.press('Home');
  assert.equal(await says(), '0.0 s, step 0 of 35: Nothing has happened yet');
}));

for (const [name, open, panel] of [
  ['the keys', '?', 'Keys'],
  ['the link', 'l', 'Link to this moment'],
]) {
  test(`${name}: opened by a key, closed by Escape, and the focus goes back`, () => visiting({}, async (page) => {
    const play = page.getByRole('button', { name: 'Play', exact: true });
    await play.focus();
    await page.keyboard.press(open);
    const dialog = page.getByRole('dialog', { name: panel });
    await dialog.waitFor();
    assert.ok(await dialog.evaluate((it) => it.contains(document.activeElement)), 'the focus is in it');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await focused(page), 'button Play');
  }));
}

test('the keys are listed, and every one that is listed is one', () => visiting({}, async (page) => {
  await page.getByRole('button', { name: 'Keys' }).click();
  const caps = await page.locator('dialog kbd').allInnerTexts();
  assert.deepEqual(caps, ['Space', '←', '→', 'Shift ←', 'Shift →', 'Home', 'End', 'b', 'f', '1', '2', '3', '4', '5', 'l', 't', '?', 'Escape']);
  assert.ok((await page.locator('dialog dd').allInnerTexts()).every((text) => text.length > 3));
}));

test('what is used keeps the focus, whatever comes and goes', () => visiting({}, async (page) => {
  for (const [what, keys, control] of [
    ['Play', ['Enter', 'Enter', '?', 'Escape', 'l', 'Escape', 'ArrowLeft', 'f', 't'], page.getByRole('button', { name: /^(Play|Pause)$/ })],
    ['the pause', ['ArrowRight', 'ArrowRight', 'ArrowRight'], page.getByRole('slider', { name: /^Pause/ })],
    ['a menu', ['Enter', 'Enter', 'ArrowLeft', 'Enter', 'Escape'], page.locator('.menus').getByRole('button', { name: 'A', exact: true })],
  ]) {
    await control.focus();
    const element = await control.elementHandle();
    for (const key of keys) {
      await page.keyboard.press(key);
      await page.waitForFunction(() => new Promise((drawn) => { requestAnimationFrame(() => setTimeout(drawn, 0, true)); }));
      const is = await element.evaluate((it) => it === document.activeElement || document.activeElement.closest('dialog') !== null);
      assert.ok(is, `${what} after ${key}`);
    }
  }
  assert.match(await page.getByRole('slider', { name: /^Pause/ }).getAttribute('aria-valuetext'), /^3[6-9]|^4/, 'each key moved it');
}));

test('a menu opens, is used and closes by keys alone', () => visiting({}, async (page) => {
  await page.locator('.names').getByRole('button', { name: /^A / }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Crash A' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('button', { name: 'Crash A' }).count(), 0);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Crash A' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await headline(page), 'A crashes');
}));
