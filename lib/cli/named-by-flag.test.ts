import { expect, test } from 'vitest';
import { PlanError } from '#lib/plan/index.ts';
import { parseFlags } from './flags.ts';
import { forSameCluster, namedByFlag } from './named-by-flag.ts';

const table = Object.fromEntries(
  ['keep', 'take', 'write', 'remove'].map((name) => [name, { value: 'CHANGE', many: true, help: '' }] as const),
);
const change = 'kube-system/ConfigMap/calico-config:data.veth_mtu';
const stray = new PlanError('choices.changes', `changes: "${change}" is no change by hand of this cluster.`, [
  'changes',
  change,
]);

test.each([
  [['--write', `${change}=1430`], '--write: "'],
  [['--keep', change], '--keep: "'],
  [['--take', change], '--take: "'],
  // By a file of choices.
  [[], 'changes: "'],
  [['--write', 'another=1'], 'changes: "'],
])('%j: the answer that fits nothing is named %s', (argv, begins) => {
  const error = namedByFlag(stray, parseFlags(argv, table).flags) as PlanError;
  expect(error.message.slice(0, begins.length)).toBe(begins);
  expect(error).toMatchObject({ name: 'PlanError', code: 'choices.changes' });
});

test('what should be removed and is still needed is named by its flag', () => {
  const error = new PlanError('choices.remove', 'remove: ConfigMap/a is no object …', ['remove']);
  const named = namedByFlag(error, parseFlags(['--remove', 'ConfigMap/a'], table).flags);
  expect((named as Error).message).toMatch(/^--remove: /);
});

test.each([
  ['not-enabled', ['--sandbox', 'standard'], 'signalbox apply --goal flow-logs --sandbox standard'],
  ['not-enabled', [], 'signalbox apply --goal flow-logs'],
  ['unreachable', ['--sandbox', 'standard'], 'signalbox apply --goal flow-logs'],
])('%s, asked with %j, ends with the command for that cluster', (code, argv, expected) => {
  const error = Object.assign(new Error('signalbox apply --goal flow-logs'), { name: 'FlowError', code });
  const { flags } = parseFlags(argv, { sandbox: { value: 'NAME', help: '' } });
  expect((forSameCluster(error, flags) as Error).message).toBe(expected);
});
