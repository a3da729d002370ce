// The built page is a folder of files that works wherever it is put.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiting } from './chromium.js';

for (const at of ['', 'index.html', '?embed', '#anything']) {
  test(`under /some/where/${at}`, () => visiting({ path: '/some/where/', at }, async (page) => {
    assert.equal(await page.getByRole('main').count(), 1);
  }));
}

test('control: a file that is missing fails the visit', () => assert.rejects(
  visiting({ path: '/some/where/' }, async (page) => {
    await page.evaluate(() => fetch('missing.css'));
  }),
  /on the console: .*404/,
));

test('control: a request to elsewhere fails the visit', () => assert.rejects(
  visiting({ path: '/some/where/' }, async (page) => {
    await page.evaluate(() => fetch('/elsewhere').catch(() => {}));
  }),
  /asked for http:.*\/elsewhere/,
));
