/**
 * Writes lib/release/checksums.json from a folder of Calico releases, `<version>/<file>`, as published. Run by hand when a
 * release is added: `node scripts/node24.mjs scripts/release-checksums.ts FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sha256 } from '../lib/release/kept-files.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Say which folder: scripts/release-checksums.ts FOLDER');
const table: Record<string, Record<string, string>> = {};
for (const version of readdirSync(folder).sort()) {
  const files = readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  table[version] = Object.fromEntries(
    files.sort().map((file) => [relative(join(folder, version), file), sha256(readFileSync(file))]),
  );
}
writeFileSync(join(import.meta.dirname, '../lib/release/checksums.json'), `${JSON.stringify(table, null, 2)}\n`);
