// Leaves pictures of a run, to be looked at by people.
import { join } from 'node:path';
import { PICTURES } from './places.js';

/** Saves what is on the screen as `name`.png in the target folder's `pictures`. */
export async function picture(page, name) {
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
}
