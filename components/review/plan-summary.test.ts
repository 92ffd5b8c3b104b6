import { expect, test } from 'vitest';
import { asksForName, changesOf, type PlannedOperation, stakesOf, yoursToDo } from '#lib/plan/index.ts';
import { groupSummary, planSummary, startWords } from './plan-summary.ts';

function anOperation(given: Partial<PlannedOperation>): PlannedOperation {
  return {
    id: 'felix.options',
    seq: 1,
    title: 'Set options',
    why: '',
    effect: 'control-plane',
    reversible: true,
    status: 'needed',
    targets: ['FelixConfiguration/default'],
    diff: '',
    previewed: 'dry-run',
    needs: [],
    reads: [],
    act: { kind: 'wait' },
    done: { kind: 'journalled' },
    until: null,
    nudge: null,
    undo: null,
    command: '',
    usualSeconds: 2,
    deadlineSeconds: 60,
    ...given,
  };
}

const wait: Partial<PlannedOperation> = { targets: [], effect: 'none', usualSeconds: 130 };
const instructed = { act: { kind: 'instruct', text: 'Stop it.' }, done: { kind: 'proxy-gone' } } as const;
const operations = [
  anOperation({ id: 'endpoint.active', ...wait }),
  anOperation({ id: 'switch.bpf', title: 'Switch 6 nodes to eBPF', effect: 'traffic' }),
  anOperation({ id: 'endpoint.active', ...wait }),
  anOperation({ id: 'felix.options', status: 'already-done' }),
];

test('what is already done keeps its number and is named, and a wait that comes again may be over at once', () => {
  expect(planSummary({ operations })).toEqual({
    lead: '1 of 4 steps (1 done already) writes to 1 object.',
    rest: '1 step touches traffic, about 2 to 5 minutes, everything can be undone.',
  });
  expect(groupSummary(operations.slice(0, 1))).toBe('reads only · 2 m 10 s');
  expect(groupSummary(operations)).toMatch(/^touches traffic: step 1 · /);
  // A journal is written, so that is not reading only.
  const snapshot = anOperation({ id: 'snapshot', targets: [], act: { kind: 'journal' }, usualSeconds: 1 });
  expect(groupSummary([snapshot])).toBe('journal only · 1 s');
});

test.each<[string, Partial<PlannedOperation>, number]>([
  ['a change', {}, 1],
  ['the reader’s to do', { targets: [], act: { kind: 'instruct', text: 'Stop it.' } }, 1],
  ['the same, once a wait is over', { targets: [], act: { kind: 'sequence', steps: [instructed] } }, 1],
  ['a wait', { targets: [], act: { kind: 'wait' } }, 0],
  ['done already', { status: 'already-done' }, 0],
])('a step on traffic counts as such: %s', (_name, given, traffic) => {
  const operations = [anOperation({ effect: 'traffic', ...given })];
  expect(stakesOf({ operations }).traffic).toBe(traffic);
});

test('what cannot be undone is said, and asks for the name', () => {
  const plan = { operations: [anOperation({ reversible: false })] };
  expect(planSummary(plan).rest).toContain('1 cannot be undone');
  expect(asksForName(plan)).toBe(true);
});

test('control-plane changes that can be undone ask for nothing', () => {
  expect(asksForName({ operations: [anOperation({})] })).toBe(false);
});

test('the button says what it does', () => {
  expect(startWords({ operations })).toBe('Switch 6 nodes to eBPF');
  expect(startWords({ operations: [anOperation({}), anOperation({})] })).toBe('Make 2 changes');
  const policy = anOperation({ id: 'policy.stage', title: 'Make the staged policy shop/a-name-as-long-as-it-may-be' });
  expect(startWords({ operations: [policy] })).toBe('Make the staged policy');
  expect(startWords({ operations: [{ ...policy, id: 'policy.enforce' }] })).toBe('Make the policy that will deny');
});

test('a plan that changes nothing may still have a step that is the reader’s own', () => {
  const left = [
    anOperation({ targets: [], act: { kind: 'instruct', text: 'Stop it.' } }),
    anOperation({ targets: [], act: { kind: 'wait' } }),
  ];
  expect([changesOf({ operations: left }).length, yoursToDo({ operations: left }).length]).toEqual([0, 1]);
});
