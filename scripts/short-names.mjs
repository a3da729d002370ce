// Gives what the page's two halves call each other short names: node scripts/short-names.mjs FOLDER
//
// wasm-bindgen names everything that the module and the browser lend each other after its purpose and a hash,
// and both halves spell each name out; hashes do not compress. Binaryen renames the module's side and says
// how, and here the same is done to the JavaScript.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'];
const MODULE = /"\.\/[\w-]+_bg\.js"/g;

const folder = process.argv[2];
const wasm = only('_bg.wasm');
const script = only('.js');
const { imports, exports } = JSON.parse(execFileSync('wasm-opt', [
  ...FEATURES.map((name) => `--enable-${name}`),
  '--minify-imports-and-exports-and-modules', wasm, '-o', wasm,
], { encoding: 'utf8' }));

let text = readFileSync(script, 'utf8').replace(/^ +/gm, '');
for (const [, long, short] of imports) rename(new RegExp(`\\b${long}(?=:)`, 'g'), `'${short}'`, long);
for (const [long, short] of exports) {
  // What JavaScript does not use (main, the handlers of an abort) it does not name.
  text = text.replace(new RegExp(`\\bwasm\\.${long}\\b`, 'g'), () => `wasm.${short}`);
  // The functions around those that are called back have the same names.
  if (long.startsWith('wasm_bindgen_')) text = text.replace(new RegExp(`\\b${long}\\b`, 'g'), () => `of_${short}`);
}
rename(MODULE, '"a"', 'the module');
writeFileSync(script, text);

function rename(what, name, called) {
  const found = text.match(what)?.length ?? 0;
  if (found !== 1) throw new Error(`${called} stands ${found} times in ${script}, not once`);
  text = text.replace(what, () => name);
}

function only(ending) {
  const found = readdirSync(folder).filter((name) => name.endsWith(ending));
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files that end in ${ending}, not one`);
  return join(folder, found[0]);
}
