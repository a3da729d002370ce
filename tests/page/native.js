// What the core says, compiled for this machine: the page runs the same code, and must say the same.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './places.js';

/** Of every variant the laws that are broken at each of its steps, from the beginning on. */
export async function nativeVerdicts() {
  const ask = ['run', '--locked', '--quiet', '-p', 'fencegate-core', '--example', 'stories', '--', '--verdicts'];
  const { stdout } = await promisify(execFile)('cargo', ask, { cwd: ROOT, maxBuffer: 1 << 26 });
  return stdout.trim().split('\n').map((line) => JSON.parse(line));
}
