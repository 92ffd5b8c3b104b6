import { expect, test } from 'vitest';
import { aFacts, aNode } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { type Choices, choicesSchema, nodeTestIds } from '#lib/spec/index.ts';
import { measuredPlan } from './preflight/measured-plan.ts';
import { withWatch } from './with-watch.ts';

const switching = aPlan();
const [node] = aFacts().nodes;
const name = node?.name ?? '';
const two = [node, { ...node, name: 'another' }].map((one) => aNode(one));
const nothing: typeof switching = { ...switching, operations: [] };
const bare = { ...aFacts().installation, method: 'none' as const, otherNetworks: [] };

/** Gives all tests the same result: which one it is does not matter here. */
function measuredAs(on: string, kind: 'failed' | 'not-run'): NonNullable<Facts['measured']>['nodes'][number] {
  const tests = Object.fromEntries(nodeTestIds.map((id) => [id, { kind, because: 'so' }]));
  return {
    node: on,
    ms: null,
    tests: tests as Record<(typeof nodeTestIds)[number], { kind: typeof kind; because: string }>,
  };
}

test.each<
  [
    string,
    Partial<Facts> & { tested?: string | null; on?: readonly string[]; as?: 'failed' | 'not-run' },
    Partial<Choices>,
    typeof nothing,
    boolean | undefined,
  ]
>([
  ['nodes tested for it', {}, {}, switching, true],
  ['turned off', {}, { watchServices: false }, switching, false],
  ['asked for without a test', { tested: null }, { watchServices: true }, switching, true],
  ['nodes never tested', { tested: null }, {}, switching, undefined],
  ['nodes tested for another release', { tested: 'v3.24.6' }, {}, switching, undefined],
  ['one node of two tested', { nodes: two }, {}, switching, undefined],
  ['both tested', { nodes: two, on: [name, 'another'], as: 'failed' }, {}, switching, true],
  ['no node measured', { on: [] }, {}, switching, undefined],
  ['no test ran there', { as: 'not-run' }, {}, switching, undefined],
  [
    'the other can run no pod',
    { nodes: [...two.slice(0, 1), ...two.slice(1).map((one) => ({ ...one, virtual: true }))] },
    {},
    switching,
    true,
  ],
  ['nothing touches traffic', {}, {}, nothing, undefined],
  ['no network yet', { installation: bare }, { goal: 'install' }, switching, undefined],
])(
  '%s',
  (_title, { tested, on = aFacts().nodes.map((one) => one.name), as = 'failed', ...change }, given, plan, expected) => {
    const choices = choicesSchema.parse({ goal: 'enable', ...given });
    const untested = { ...aFacts(), ...change };
    const so = measuredPlan(untested, choices);
    const measured =
      tested === null
        ? null
        : {
            endpoint: null,
            nodes: on.map((one) => measuredAs(one, as)),
            plan: { ...so, ...(tested && { release: tested }) },
          };
    expect(withWatch(choices, { ...untested, measured }, plan).watchServices).toBe(expected);
  },
);
