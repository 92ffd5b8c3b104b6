import { expect, test } from 'vitest';
import { FlowError, withCommands } from '#lib/flows/flow-error.ts';
import { PlanError } from '#lib/plan/index.ts';
import { parseFlags } from './flags.ts';
import { forSameCluster, namedByFlag } from './named-by-flag.ts';

const table = Object.fromEntries(
  ['keep', 'take', 'write', 'remove'].map((name) => [name, { value: 'CHANGE', many: true, help: '' }] as const),
);
const change = 'kube-system/ConfigMap/calico-config:data.veth_mtu';
const stray = new PlanError('choices.changes', `changes: "${change}" is not a manual change of this cluster.`, [
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
  const error = new PlanError('choices.remove', 'remove: ConfigMap/a is not an object …', ['remove']);
  const named = namedByFlag(error, parseFlags(['--remove', 'ConfigMap/a'], table).flags);
  expect((named as Error).message).toMatch(/^--remove: /);
});

test.each<[string[], string[]]>([
  [
    ['--sandbox', 'standard'],
    [
      'signalbox apply --goal flow-logs --sandbox standard',
      'kubectl --context sandbox-standard get tigerastatus goldmane',
    ],
  ],
  [
    ['--context', 'prod'],
    ['signalbox apply --goal flow-logs --context prod', 'kubectl --context prod get tigerastatus goldmane'],
  ],
  [[], ['signalbox apply --goal flow-logs', 'kubectl get tigerastatus goldmane']],
])('with %j each command of a message leads to that cluster', (argv, commands) => {
  const error = new FlowError('not-ready', withCommands('Not yet.', 'enable', 'status'));
  const { flags } = parseFlags(argv, { sandbox: { value: 'NAME', help: '' }, context: { value: 'NAME', help: '' } });
  const led = forSameCluster(error, flags);
  expect((led as Error).message).toBe(['Not yet.', '', ...commands.map((command) => `  ${command}`)].join('\n'));
});

test('a refusal leads the commands in its backticks, and those that name a cluster already stay', () => {
  const error = new PlanError(
    'goal',
    'By hand: `helm rollback calico 3`; then `signalbox undo r --journal-namespace ops`, and `signalbox sandbox list`.',
  );
  const { flags } = parseFlags(['--context', 'prod', '--journal-namespace', 'ops'], {
    context: { value: 'NAME', help: '' },
    'journal-namespace': { value: 'NAME', help: '' },
  });
  expect((forSameCluster(error, flags) as Error).message).toBe(
    'By hand: `helm --kube-context prod rollback calico 3`; then `signalbox undo r --journal-namespace ops --context prod`, and `signalbox sandbox list`.',
  );
});

test('what an aborted signal throws stays as it is', () => {
  const { flags } = parseFlags([], {});
  const error = AbortSignal.abort().reason;
  expect(forSameCluster(error, flags)).toBe(error);
});

test('what no message of ours ends in stays as it is', () => {
  const error = new FlowError('refused', 'Refused: signalbox apply --goal flow-logs');
  const { flags } = parseFlags(['--context', 'prod'], { context: { value: 'NAME', help: '' } });
  expect((forSameCluster(error, flags) as Error).message).toBe(error.message);
});
