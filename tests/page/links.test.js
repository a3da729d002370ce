// Links: to this very moment and back, and what happens to those that cannot be followed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';

/** What makes a moment: two pages that say the same here show the same. */
async function moment(page) {
  await page.getByRole('main').waitFor();
  return page.evaluate(() => ({
    headline: document.querySelector('h1').textContent,
    step: document.querySelector('.caption').textContent,
    branches: [...document.querySelectorAll('[aria-label=Branches] button[aria-pressed]')].map((it) => it.outerHTML),
    runs: [...document.querySelectorAll('.run .head')].map((it) => it.textContent),
    laws: document.querySelector('.laws')?.textContent,
    events: document.querySelector('.log')?.textContent,
    switches: document.querySelector('.guard')?.textContent,
  }));
}

async function linkToThis(page) {
  await page.getByRole('button', { name: 'Link to this moment' }).click();
  const link = await page.getByRole('textbox', { name: 'Link to this moment' }).inputValue();
  await page.getByRole('button', { name: 'Close' }).last().click();
  return link;
}

test('a link brings back the very moment: switches, sliders, faults, branches, what is beside, and the step', () => visiting({}, async (page) => {
  await page.getByRole('slider', { name: /^Pause/ }).fill('40000');
  await page.getByRole('slider', { name: 'Time' }).fill('12');
  await page.locator('.names').getByRole('button', { name: /^B / }).click();
  await page.getByRole('button', { name: 'Pause B' }).click();
  await page.getByRole('button', { name: 'Beside it: as told' }).click();
  await page.locator('.compare').getByRole('button').last().click();
  await page.keyboard.press('ArrowRight');
  const here = await moment(page);
  assert.equal(here.runs.length, 3);

  const link = await linkToThis(page);
  assert.match(link, /^http:.*#~[\w-]+$/);
  assert.ok(link.split('#')[1].length <= 2_000, 'it is short');
  assert.equal(page.url(), link, 'it is the address now');
  const again = await page.context().newPage();
  await again.goto(link);
  assert.deepEqual(await moment(again), here);
}));

test('the link goes to the clipboard, and that is said', () => visiting({}, async (page) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const link = await linkToThis(page);
  await page.getByRole('status').filter({ hasText: 'The link is copied.' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
}));

const past = `~${'A'.repeat(2_000)}`;
for (const [what, fragment, sentence] of [
  ['damaged', '~AQcE', /damaged: a part of it may be missing/],
  ['cut off', '~AR4BD3JlZGlzLmxvY2st', /damaged: a part of it may be missing/],
  ['no base64', '~%%%', /damaged/],
  ['of a later version', '~CQ', /of version 9, which this page does not know yet/],
  ['too long', past, /too long to be one of this page's/],
  ['to an unknown story', 'redis.fencde', /no story named redis\.fencde/],
  ['markup', '<img src=x onerror=alert(1)>', /no story named/],
]) {
  test(`a link that is ${what} gets a sentence, and the page goes on`, () => visiting({ at: `#${fragment}` }, async (page) => {
    assert.match(await page.getByRole('status').innerText(), sentence);
    assert.match(await page.getByRole('heading', { level: 1 }).innerText(), /^A woke up after 35 s/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await page.locator('.caption').innerText(), /step 29 of/);
    await page.getByRole('status').getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.getByRole('status').innerText(), '');
    // And one that is followed on the page leaves what was there.
    await page.evaluate((hash) => { location.hash = ''; location.hash = hash; }, fragment);
    await page.getByRole('status').filter({ hasText: sentence }).waitFor();
    assert.match(await page.locator('.caption').innerText(), /step 29 of/);
  }));
}

test('so many branches, beside each other, are too much for a link, and that is said', () => visiting({}, async (page) => {
  const time = page.getByRole('slider', { name: 'Time' });
  for (let many = 0; many < 32; many += 1) {
    await time.fill('29');
    await page.locator('.names').getByRole('button', { name: /^A / }).click();
    await page.getByRole('button', { name: /^Make the clock of A .* fast$/ }).click();
  }
  await linkToThis(page);
  for (const beside of ['as told', 'A', 'A']) {
    await page.getByRole('button', { name: new RegExp(`^Beside it: ${beside}`) }).first().click();
  }
  await page.getByRole('button', { name: 'Link to this moment' }).click();
  assert.match(await page.getByRole('dialog').innerText(), /Too much was changed here for a link/);
}));

test('every link of the gallery and of the guide leads to its moment; going back leads back', () => visiting({}, async (page) => {
  const guide = page.locator('.guide a');
  assert.ok(await guide.count() >= 10);
  for (const link of [guide.first(), guide.last(), page.locator('.gallery a').first(), page.locator('.gallery a').last()]) {
    const variant = (await link.getAttribute('href')).slice(1);
    await link.click();
    await page.locator(`.gallery .here a[href="#${variant}"]`).waitFor();
    assert.equal(await page.getByRole('status').innerText(), '');
    assert.equal(new URL(page.url()).hash, `#${variant}`);
  }
  const before = await guide.last().getAttribute('href');
  await page.goBack();
  await page.goBack();
  await page.locator(`.gallery .here a[href="${before}"]`).waitFor();
  for (const href of await guide.evaluateAll((all) => all.map((it) => it.getAttribute('href')))) {
    assert.ok(await page.locator(`.gallery a[href="${href}"]`).count() > 0, `${href} is a variant`);
  }
}));

test('embedded there is the player, the picture and the caption alone, and a link to a moment works', () => visiting({}, async (page) => {
  await page.getByRole('button', { name: 'Turn fencing on' }).click();
  await page.keyboard.press('ArrowRight');
  const here = await moment(page);
  const link = await linkToThis(page);
  const embedded = await page.context().newPage();
  await embedded.goto(link.replace('#', '?embed#'));
  const { headline, step } = await moment(embedded);
  assert.deepEqual({ headline, step }, { headline: here.headline, step: here.step });
  for (const there of ['h1', '.roll .lanes', '.nodes', '.player', '.caption']) {
    assert.ok(await embedded.locator(there).isVisible(), there);
  }
  for (const gone of ['header', 'footer', '.laws', '.log', '.guard', '.compare', '.guide', '.gallery', '.menus']) {
    assert.equal(await embedded.locator(gone).count(), 0, gone);
  }
  assert.match(await linkToThis(embedded), /\?embed#~/);
}));

test('embedded in a frame of another page it plays', () => visiting({}, async (page) => {
  const address = page.url();
  await page.setContent(`<iframe src="${address}?embed#redis.fenced" width="800" height="700" title="The story"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  const before = await frame.locator('.caption').innerText();
  await frame.getByRole('button', { name: 'One event back' }).click();
  assert.notEqual(await frame.locator('.caption').innerText(), before);
}));
