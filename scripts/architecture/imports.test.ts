import { expect, test } from 'vitest';
import { folderOf, importsOf, isTestCode } from './imports.ts';

const text = `import { a } from './a.ts';
import type { B } from '#lib/facts/index.ts';
import { type C } from '../checks/index.ts';
import {
  d,
  type E,
} from '#lib/kube/index.ts';
export type * from './port.ts';
export { f } from './f.ts';
import './side-effect.ts';
import table from './table.json' with { type: 'json' };
const lazy = async () => (await import('#lib/run/index.ts')).run;
const text = "no import from 'here'";
`;

test('every way to import, with its line and whether it runs anything', () => {
  const found = importsOf('/root', 'lib/plan/x.ts', text);
  expect(found.map(({ line, to, when }) => `${line} ${to}${when === 'load' ? '' : ` ${when}`}`)).toEqual([
    '1 lib/plan/a.ts',
    '2 lib/facts/index.ts type',
    '3 lib/checks/index.ts',
    '4 lib/kube/index.ts',
    '8 lib/plan/port.ts type',
    '9 lib/plan/f.ts',
    '10 lib/plan/side-effect.ts',
    '11 lib/plan/table.json',
    '12 lib/run/index.ts later',
  ]);
});

test.each([
  ['lib/plan/operations/index.ts', 'lib/plan'],
  ['e2e/controlplane/index.ts', 'e2e/controlplane'],
  ['scripts/architecture/imports.ts', 'scripts'],
  ['node:fs', null],
  ['package.json', null],
])('%s is of %s', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

test('test code', () => {
  expect(['lib/x/y.test.ts', 'lib/x/testing/z.ts', 'e2e/a/b.ts'].every(isTestCode)).toBe(true);
  expect(isTestCode('lib/x/y.ts')).toBe(false);
});
