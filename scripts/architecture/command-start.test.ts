import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../setup/root.mjs';
import { folderOf, importsOf } from './imports.ts';

test('every command loads words, flags and the widths of characters before its own file, nothing of clusters and plans', () => {
  const folders = [...loadedWith('lib/cli/run-cli.ts')].map((path) => folderOf(path) ?? path);
  expect([...new Set(folders)].sort()).toEqual(['get-east-asian-width', 'lib/base', 'lib/cli', 'lib/text']);
});

// To take the types out of TypeScript took a third of a short command.
test('a command loads only JavaScript until there is compiled code', () => {
  const files = [...loadedWith('lib/cli/main.mjs')].filter((path) => folderOf(path) !== null);
  expect(files).toContain('lib/folders/private-folder.mjs');
  expect(files.filter((path) => !path.endsWith('.mjs'))).toEqual([]);
});

/** The file and everything that it loads at its start; packages by their names. */
function loadedWith(file: string): Set<string> {
  const found = new Set<string>();
  const left = [file];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path) || path.startsWith('node:')) continue;
    found.add(path);
    if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true) continue;
    for (const { to, when } of importsOf(root, path)) if (when === 'load') left.push(to);
  }
  return found;
}
