import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { builtinDefinitions, builtinKinds } from './builtin-definitions.ts';

test('every resource that the product uses and no definition adds is built in, in the same words', () => {
  const wanted = Object.values(resources).filter(
    ({ group }) => !/tigera|projectcalico|openshift|argoproj|fluxcd|cattle|cilium|^policy\.networking/.test(group),
  );
  const served = builtinKinds().map(({ resource }) => resource);
  for (const resource of wanted) expect(served).toContainEqual(resource);
});

test('no definition refers to one that is missing', () => {
  const missing = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('ref' in value && typeof value.ref === 'string' && !builtinDefinitions(value.ref)) missing.add(value.ref);
    for (const member of Object.values(value)) visit(member);
  };
  for (const { resource } of builtinKinds())
    visit(builtinDefinitions(`${resource.group.split('.')[0] || 'core'}.${resource.version}.${resource.kind}`));
  expect([...missing]).toEqual([]);
});

test('the file stays small enough to be read with every start', () => {
  expect(statSync(new URL('./builtin-schemas.json', import.meta.url)).size).toBeLessThan(400_000);
});
