// Motion, colours, narrow screens and paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';
import { countingWakeups } from './idle.js';
import { isOnScreen } from './on-screen.js';
import { step } from './said.js';
import { DESK, PHONE } from './screens.js';

const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const [LIGHT, DARK] = ['rgb(246, 247, 249)', 'rgb(16, 21, 27)'];

test('with reduced motion it plays event by event, without a frame or an animation', () => visiting({ motion: 'reduce', before: countingWakeups }, async (page) => {
  await page.keyboard.press('Home');
  await page.evaluate(() => { globalThis.wakeups = []; });
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const places = await page.evaluate(watched, 4_000);
  assert.ok(places.length >= 2 && places.length <= 4, `an event each 1.4 s: ${places.length}`);
  for (const of of places) assert.equal(of.length, 1, 'one place for each event, and none between');
  const woken = await page.evaluate(() => globalThis.wakeups);
  assert.ok(!woken.some((what) => what.startsWith('requestAnimationFrame')), `${woken}`);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
}));

test('control: with motion it plays in frames, at many places between events', () => visiting({ before: countingWakeups }, async (page) => {
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  const places = await page.evaluate(watched, 2_000);
  assert.ok(places.some((of) => of.length > 5), `${places.map((of) => of.length)}`);
  assert.ok(await page.evaluate(() => globalThis.wakeups.filter((what) => what === 'requestAnimationFrame fired').length) > 5);
}));

/** Runs in the page: where the playhead was at each step that was shown in so many milliseconds. */
function watched(ms) {
  const places = new Map();
  const look = () => {
    const step = /step (\d+) of/.exec(document.querySelector('.caption').textContent)[1];
    places.set(step, (places.get(step) ?? new Set()).add(document.querySelector('.playhead').outerHTML));
  };
  const change = new MutationObserver(look);
  look();
  change.observe(document.querySelector('main'), { attributes: true, childList: true, characterData: true, subtree: true });
  return new Promise((done) => setTimeout(() => {
    change.disconnect();
    done([...places.values()].map((of) => [...of]));
  }, ms));
}

test('it plays to the end, stops there, and begins anew', () => visiting({}, async (page) => {
  await page.keyboard.press('5');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => /step 35 of 35/.test(document.querySelector('.caption').textContent));
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() => !/step 35 of 35/.test(document.querySelector('.caption').textContent));
  assert.ok(await step(page) < 10);
}));

for (const [scheme, own, other, name] of [['light', LIGHT, DARK, 'Dark'], ['dark', DARK, LIGHT, 'Light']]) {
  test(`it is ${scheme} as the system is, ${name} by its switch, remembered, and the system's again`, () => visiting({ scheme }, async (page) => {
    assert.equal(await ground(page), own);
    await page.getByRole('button', { name, exact: true }).click();
    assert.equal(await ground(page), other);
    await page.reload();
    await page.getByRole('main').waitFor();
    assert.equal(await ground(page), other);
    assert.equal(await page.getByRole('group', { name: 'Colours' }).getByRole('button', { pressed: true }).innerText(), name);
    await page.getByRole('button', { name: 'System' }).click();
    assert.equal(await ground(page), own);
  }));
}

test('on a phone one view is shown at a time, and the player stays', () => visiting({ screen: PHONE }, async (page) => {
  const views = { Lanes: '.roll', Actors: '.actors', Events: '.log' };
  for (const name of ['Actors', 'Events', 'Lanes']) {
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name }).tap();
    for (const [other, selector] of Object.entries(views)) {
      assert.equal(await page.locator(selector).first().isVisible(), other === name, `${other} in ${name}`);
    }
  }
  for (const y of [0, 1_500, 1e6]) {
    await page.evaluate((top) => scrollTo(0, top), y);
    await isOnScreen(page.getByRole('button', { name: 'Play', exact: true }), `Play, scrolled to ${y}`);
    await isOnScreen(page.getByRole('slider', { name: 'Time' }), `the slider, scrolled to ${y}`);
  }
  const end = await page.getByRole('contentinfo').boundingBox();
  const player = await page.locator('.player').boundingBox();
  assert.ok(end.y + end.height <= player.y, 'the end of the page is above the player');
}));

for (const screen of [DESK, PHONE]) {
  test(`on a ${screen.name} every control is 24 px or more, with everything open`, () => visiting({ screen }, async (page) => {
    await page.locator('.menus button').nth(1).click();
    await page.locator('.compare button').first().click();
    await page.locator('summary').click();
    const small = await page.locator('button, summary, input, .gallery a, .guide a').evaluateAll((all) => all
      .map((it) => [it, it.getBoundingClientRect()])
      .filter(([it, { width, height }]) => width > 0 && (width < 24 || height < 24) && getComputedStyle(it).display !== 'inline')
      .map(([it, { width, height }]) => `${it.outerHTML.slice(0, 90)}: ${Math.round(width)} x ${Math.round(height)}`));
    assert.deepEqual(small, []);
    if (screen === PHONE) await page.getByRole('button', { name: 'Actors' }).tap();
    const flying = await page.locator('.nodes .flying .hit').evaluateAll((all) => all.map((it) => it.getBoundingClientRect().width));
    assert.ok(flying.every((width) => width >= 24), `messages: ${flying}`);
  }));
}

const PAPER = { name: 'sheet of A4', viewport: { width: 718, height: 1_047 } };

test('on paper the story, the laws and every event remain, and no control', () => visiting({ screen: PAPER }, async (page) => {
  await page.emulateMedia({ media: 'print' });
  for (const gone of ['.player', '.menus', '.guard', '.compare', '.headline button', 'header button']) {
    assert.equal(await page.locator(gone).first().isVisible(), false, gone);
  }
  for (const there of ['h1', '.lanes', '.caption', '.laws', '.log']) {
    assert.ok(await page.locator(there).first().isVisible(), there);
  }
  const cut = await page.locator('.scrolls').evaluate((it) => it.scrollHeight - it.clientHeight);
  assert.ok(cut <= 1, 'no event is scrolled away');
  const wide = await page.evaluate(() => document.querySelector('.roll').scrollWidth - document.querySelector('.roll').clientWidth);
  assert.ok(wide <= 1, `the picture is cut off by ${wide} px`);
}));
