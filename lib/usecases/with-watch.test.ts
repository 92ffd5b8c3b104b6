import { expect, test } from 'vitest';
import { aFacts } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { type Choices, choicesSchema } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';
import { withWatch } from './with-watch.ts';

const switching = aPlan();
const nothing: typeof switching = { ...switching, operations: [] };
const bare = { ...aFacts().installation, method: 'none' as const, otherNetworks: [] };

test.each<[string, Partial<Facts> & { tested?: string | null }, Partial<Choices>, typeof nothing, boolean | undefined]>(
  [
    ['nodes tested for it', {}, {}, switching, true],
    ['turned off', {}, { watchServices: false }, switching, false],
    ['asked for without a test', { tested: null }, { watchServices: true }, switching, true],
    ['nodes never tested', { tested: null }, {}, switching, undefined],
    ['nodes tested for another release', { tested: 'v3.24.6' }, {}, switching, undefined],
    ['nothing touches traffic', {}, {}, nothing, undefined],
    ['no network yet', { installation: bare }, { goal: 'install' }, switching, undefined],
  ],
)('%s', (_title, { tested, ...change }, given, plan, expected) => {
  const choices = choicesSchema.parse({ goal: 'enable', ...given });
  const untested = { ...aFacts(), ...change };
  const so = measuredPlan(untested, choices);
  const measured =
    tested === null ? null : { endpoint: null, nodes: [], plan: { ...so, ...(tested && { release: tested }) } };
  expect(withWatch(choices, { ...untested, measured }, plan).watchServices).toBe(expected);
});
