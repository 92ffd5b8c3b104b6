import { expect, test } from 'vitest';
import type { Act, Plan, PlannedOperation } from '#lib/plan/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { type Entry, journalSchema } from './journal.ts';
import { leftBy } from './left-by.ts';

const [model] = aPlan().operations;
const installation: ObjectRef = { resource: resources.installations, name: 'default' };
const patch = (body: Record<string, unknown>): Act => ({ kind: 'merge-patch', target: installation, body });

/** What one step leaves, done only, or done and undone. */
function left(act: Act, undo: Act | null = null) {
  const operation = { ...model, seq: 1, status: 'needed', act, undo: undo && { ...model?.undo, act: undo } };
  const plan: Pick<Plan, 'operations'> = { operations: [operation as PlannedOperation] };
  const finished = (direction: 'forward' | 'undo'): Entry => ({
    what: 'finished',
    direction,
    seq: 1,
    at: '2026-01-01T00:00:00Z',
    outcome: 'met',
    note: null,
  });
  const journal = journalSchema.parse({
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r',
    goal: 'enable',
    cluster: 'c',
    planHash: 'h',
    startedAt: '2026-01-01T00:00:00Z',
    startedBy: 'i/p',
    state: undo === null ? { kind: 'done' } : { kind: 'undone' },
    accepted: [],
    entries: [finished('forward'), ...(undo === null ? [] : [finished('undo')])],
  });
  const found = leftBy(plan, journal);
  return { ...found, left: found.left.map(({ path, value }) => [path?.join('.') ?? null, value]) };
}

test.each([
  [
    'a value that the operator writes back',
    patch({ spec: { calicoNetwork: { linuxDataplane: 'BPF' } } }),
    patch({ spec: { calicoNetwork: { linuxDataplane: null } } }),
    [[null, 'present']],
  ],
  [
    'a parent that the undo takes away',
    patch({ spec: { typha: { a: { b: 1 }, c: 2 } } }),
    patch({ spec: { typha: null } }),
    [
      [null, 'present'],
      ['spec.typha', null],
    ],
  ],
  [
    'a child below what was taken away',
    patch({ spec: { typha: null, variant: 'Calico' } }),
    patch({ spec: { typha: { a: 1 } } }),
    [
      [null, 'present'],
      ['spec.variant', 'Calico'],
      ['spec.typha.a', 1],
    ],
  ],
])('of %s the run left what came last', (_what, act, undo, expected) => {
  expect(left(act, undo).left).toEqual(expected);
});

test('objects of a manifest are left present, and those that were deleted together absent', () => {
  const targets = [installation, { ...installation, name: 'other' }];
  const manifest: Act = { kind: 'apply-manifest', manifest: {} as never, targets, force: true };
  const present = [
    [null, 'present'],
    [null, 'present'],
  ];
  expect(left(manifest).left).toEqual(present);
  expect(left(manifest, { kind: 'delete-all', targets, propagation: 'Background' }).left).toEqual([
    [null, 'absent'],
    [null, 'absent'],
  ]);
});

test('what Helm wrote is named as not compared, inside a sequence too', () => {
  const helm: Act = { kind: 'helm', verb: 'rollback', release: 'calico', namespace: 'n', revision: 2 };
  const sequence: Act = { kind: 'sequence', steps: [{ act: helm, done: { kind: 'journalled' } }] };
  expect(left(helm).notCompared).toEqual([
    'Step 1 went through the Helm release n/calico: its values are not compared.',
  ]);
  expect(left(patch({ spec: { variant: 'Calico' } }), sequence).notCompared).toHaveLength(1);
});
