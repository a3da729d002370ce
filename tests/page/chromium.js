// Opens the built page in the system's Chromium: one browser a test file, a fresh profile a visit.
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { DIST } from './places.js';
import { DESK } from './screens.js';
import { serve } from './serve.js';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

let browser;
after(async () => (await browser)?.close());

/**
 * Calls `visit` with a page that shows ours and is drawn. Fails as well when the console had errors, or when the
 * page asked for anything outside the folder it is served from.
 *
 *     screen   one of screens.js; the desk if none is named
 *     scheme   'light' (if none is named) or 'dark'
 *     motion   'no-preference' (if none is named) or 'reduce'
 *     at       what follows the page's address: '?embed', '#...'
 *     path     the path that the page is served under
 *     before   called with the page before it is opened
 */
export async function visiting(options, visit) {
  const { screen = DESK, scheme = 'light', motion = 'no-preference', at = '', path = '/', before } = options;
  const { name: _, ...sized } = screen;
  const server = await serve(DIST, path);
  const context = await (await started()).newContext({ ...sized, colorScheme: scheme, reducedMotion: motion });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(10_000); // far more than any of its turns takes
    const faults = watched(page, server.url);
    await before?.(page);
    let failed;
    try {
      await page.goto(server.url + at);
      await page.getByRole('main').waitFor();
      await visit(page);
    } catch (error) {
      failed = error;
    }
    // The console often says why the rest failed: so both are told.
    if (faults.length > 0) throw new Error(['the page made mistakes', ...faults, failed?.stack].join('\n'));
    if (failed) throw failed;
  } finally {
    await context.close();
    await server.close();
  }
}

function started() {
  browser ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  return browser;
}

/** The list of what goes wrong in the page, which grows as it does. */
function watched(page, home) {
  const faults = [];
  page.on('pageerror', (error) => faults.push(`an error nobody caught: ${error}`));
  page.on('console', (message) => message.type() === 'error' && faults.push(`on the console: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(home) && !/^(data|blob):/.test(request.url())) {
      faults.push(`asked for ${request.url()}`);
    }
  });
  return faults;
}
