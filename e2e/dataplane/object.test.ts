import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test as anyTest, expect, test } from 'vitest';

import { elfSection, loadDataPlane } from '#lib/node/bpf/index.ts';
import { built, compileObject, hashOfSources, lackingCompiler, mostInstructions } from '../../scripts/bpf/object.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';

/** The object that comes with the package. */
const object = readFileSync(built.object);

test('the object is made of the sources beside it: else run npm run bpf', () => {
  const sha256 = createHash('sha256').update(object).digest('hex');
  expect(JSON.parse(readFileSync(built.manifest, 'utf8'))).toMatchObject({ sources: hashOfSources(), object: sha256 });
});

anyTest.runIf(lackingCompiler() === null)('to build it again, twice, makes the same bits', () => {
  expect(compileObject().equals(object)).toBe(true);
  expect(compileObject().equals(object)).toBe(true);
});

test('it has no section that libbpf 1.1 cannot create before Linux 5.5', () => {
  expect(['.rodata', '.data', '.bss'].filter((name) => (elfSection(object, name)?.length ?? 0) > 0)).toEqual([]);
});

anyTest.runIf(canRunPrograms)('this kernel verifies every program within 60 % of what it may take', () => {
  const { verified, close } = loadDataPlane({ pins: null });
  close();
  expect(Object.entries(verified).filter(([, count]) => !(count > 0 && count <= mostInstructions))).toEqual([]);
});
