import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { currentBundle, freshBundle } from './bundle.mjs';

const entry = '.bundle/commands-1/run-cli.js';
const inputs = ['lib/cli/run-cli.ts', 'node_modules/.package-lock.json'];

/** A checkout whose commands were bundled, and nothing else. */
function bundled(): string {
  const root = testFolder('bundle');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(root, entry), 'the bundle');
  for (const path of inputs) write(join(root, path), 'as it was');
  const asTheyWere = inputs.map((path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return [path, size, mtimeMs];
  });
  write(currentBundle(root), JSON.stringify({ root, entry, inputs: asTheyWere }));
  return root;
}

test('a bundle of the sources as they are is run', () => {
  const root = bundled();
  expect(freshBundle(root)).toBe(pathToFileURL(join(root, entry)).href);
});

test.each<[string, (root: string) => string]>([
  ['a source that changed', (root) => change(root, () => writeFileSync(join(root, 'lib/cli/run-cli.ts'), 'another'))],
  ['packages that changed', (root) => change(root, () => writeFileSync(join(root, inputs[1] ?? ''), 'another'))],
  ['a source that went', (root) => change(root, () => rmSync(join(root, 'lib/cli/run-cli.ts')))],
  ['a checkout that was moved', moved],
  ['a list that is broken', (root) => change(root, () => writeFileSync(currentBundle(root), '{'))],
  ['a bundle that was removed by hand', (root) => change(root, () => rmSync(join(root, entry)))],
  ['no bundle', (root) => change(root, () => rmSync(currentBundle(root)))],
])('%s: the sources themselves are run', (_, then) => {
  expect(freshBundle(then(bundled()))).toBeNull();
});

function change(root: string, act: () => void): string {
  act();
  return root;
}

function moved(root: string): string {
  const elsewhere = `${root}-moved`;
  renameSync(root, elsewhere);
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  return elsewhere;
}
