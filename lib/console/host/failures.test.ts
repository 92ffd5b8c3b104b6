import { expect, test } from 'vitest';
import { ChoiceError } from '#lib/checks/index.ts';
import { KubeError } from '#lib/kube/index.ts';
import { PlanError } from '#lib/plan/index.ts';
import { answering, failureOf, refusalAsError } from './failures.ts';
import { Refused } from './refused.ts';

test.each<[string, Error, object]>([
  [
    'a cluster that is away',
    new KubeError('unreachable', 'No connection.'),
    { code: 'cluster.unreachable', message: 'No connection.' },
  ],
  ['a right that is missing', new KubeError('forbidden', 'You may not.'), { code: 'cluster.forbidden' }],
  [
    'choices that contradict each other',
    new PlanError('choices.set', 'set: no.', ['set', 'a.b']),
    { code: 'choices.set', fields: { 'set.a.b': 'set: no.' } },
  ],
  [
    'acknowledgements that cannot be had, each with its field',
    new ChoiceError([
      { code: 'acknowledge.blocking', field: 'acknowledge.a', message: 'A blocks.' },
      { code: 'fix.no-mend', field: 'fix.0', message: 'B has no fix.' },
    ]),
    { code: 'acknowledge.blocking', fields: { 'acknowledge.a': 'A blocks.', 'fix.0': 'B has no fix.' } },
  ],
  [
    'a full disk',
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    { code: 'state.unwritable' },
  ],
  [
    'a full disk under a sandbox',
    Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    { code: 'state.unwritable' },
  ],
  [
    'what the host itself refuses',
    new Refused('draft.changed', 'Changed.'),
    { code: 'draft.changed', message: 'Changed.' },
  ],
])('%s', (_what, error, expected) => {
  const failure = failureOf(error);
  expect(failure).toMatchObject({ ok: false, ...expected });
  // A failure must be plain data, as it crosses to routes that are bundled separately.
  expect(structuredClone(failure)).toEqual(failure);
});

test('a fault of ours is no answer', async () => {
  expect(failureOf(new TypeError('x'))).toBeNull();
  const logged: unknown[] = [];
  const fault = new TypeError('x');
  await expect(
    answering(
      (line, cause) => logged.push([line, cause]),
      'view',
      () => Promise.reject(fault),
    ),
  ).rejects.toBe(fault);
  expect(logged).toEqual([['view: a fault of Signalbox', fault]]);
});

test('a run that is refused has a stable code', () => {
  expect(failureOf(refusalAsError({ kind: 'ended', state: 'done' }))).toEqual({
    ok: false,
    code: 'run.ended',
    message: 'This run has already ended (done).',
  });
});
