/**
 * Pins the files of Calico releases: writes their checksums into lib/release/checksums.json, from a folder `<version>/<file>` as published.
 * Releases that are not in the folder stay as they are; one that lacks what every release has is not pinned. Run by hand when a release is
 * added: `node scripts/node24.mjs scripts/release-checksums.ts FOLDER`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openRelease } from '#lib/release/index.ts';
import { sha256 } from '../lib/release/cache/kept-files.ts';
import pinned from '../lib/release/checksums.json' with { type: 'json' };

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Say which folder: scripts/release-checksums.ts FOLDER');
const table: Record<string, Record<string, string>> = { ...pinned };
for (const version of readdirSync(folder)) {
  await openRelease({ version, source: join(folder, version) }, { signal: new AbortController().signal });
  const files = readdirSync(join(folder, version), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  table[version] = Object.fromEntries(
    files.sort().map((file) => [relative(join(folder, version), file), sha256(readFileSync(file))]),
  );
}
const sorted = Object.fromEntries(Object.entries(table).sort(([left], [right]) => (left < right ? -1 : 1)));
writeFileSync(join(import.meta.dirname, '../lib/release/checksums.json'), `${JSON.stringify(sorted, null, 2)}\n`);
