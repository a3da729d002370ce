// Asks axe-core what keeps somebody from using the page.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const GRAVE = ['serious', 'critical'];

/**
 * Fails, with a list to work through, when the page as it is now has a serious or critical finding. What the
 * selectors in `but` find is left out: what is long and was looked at before.
 */
export async function noGraveFinding(page, but = []) {
  // Evaluated, not added as a script, so that a content policy of the page is no obstacle.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((exclude) => globalThis.axe.run({ include: [['html']], exclude }, {
    resultTypes: ['violations'],
    rules: { 'target-size': { enabled: true } }, // of WCAG 2.2, which axe leaves out unasked
  }), but.map((selector) => [selector]));
  const grave = violations.filter(({ impact }) => GRAVE.includes(impact));
  if (grave.length > 0) throw new Error(`axe found:\n${grave.map(described).join('\n')}`);
}

function described({ id, impact, help, nodes }) {
  const places = nodes.map(({ target, failureSummary }) =>
    `    ${target.join(' ')}\n      ${failureSummary.replaceAll('\n', '\n      ')}`);
  return `  ${id} (${impact}): ${help}\n${places.join('\n')}`;
}
