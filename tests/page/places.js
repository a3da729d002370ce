// The folders that the tests read and write.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The built page. */
export const DIST = resolve(ROOT, 'dist');

/** What the project shows to people. */
export const DOCS = resolve(ROOT, 'docs');

/** Where a run leaves its pictures: beside what cargo builds, which git ignores. */
export const PICTURES = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target', 'pictures');
