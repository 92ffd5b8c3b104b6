/**
 * Writes docs/reference/*.md from the tables of lib/spec: `node scripts/node24.mjs scripts/reference.ts`, after a table was changed.
 * A test of lib/reference fails where the pages that are checked in are older than the tables.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from '#lib/reference/index.ts';

const folder = join(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of referencePages()) writeFileSync(join(folder, name), text);
