import { describe, expect, test } from 'vitest';
import { releaseOf } from '../releases.ts';
import { type ComponentState, conditionsOf, forInstallation, mergedConditions } from './conditions.ts';

const fine: ComponentState = { ready: true, explicit: null, progressing: [], failing: [], generation: 6 };
const rolling = 'DaemonSet "calico-system/calico-node" update is rolling out (2 out of 4 updated)';

function short(state: ComponentState, like: 'v3.31.4' | 'v3.30.7') {
  return conditionsOf(state, releaseOf(like)).map((one) => `${one.type} ${one.status} ${one.reason}: ${one.message}`);
}

describe('the public one, as recorded', () => {
  test('all well (install-enable-rollback-3.31.4.jsonl, t=68.0)', () => {
    expect(short(fine, 'v3.31.4')).toEqual([
      'Available True AllObjectsAvailable: All objects available',
      'Progressing False AllObjectsAvailable: All Objects Available',
      'Degraded False AllObjectsAvailable: All Objects Available',
    ]);
    expect(short(fine, 'v3.30.7')[1]).toBe('Progressing False AllObjectsAvailable: All objects available');
  });
  test('rolling out (t=58.0)', () => {
    expect(short({ ...fine, progressing: [rolling] }, 'v3.31.4')).toEqual([
      'Available False Unknown: ',
      `Progressing True ResourceNotReady: ${rolling}`,
      'Degraded False Unknown: ',
    ]);
  });
  test('refused (t=223.05)', () => {
    expect(short({ ...fine, explicit: { reason: 'ResourceValidationError', message: 'no' } }, 'v3.31.4')).toEqual([
      'Available False Unknown: ',
      'Progressing False Unknown: ',
      'Degraded True ResourceValidationError: no',
    ]);
  });
  test('a failing pod is Degraded and not Progressing (calico.md §4)', () => {
    expect(short({ ...fine, progressing: [rolling], failing: ['Pod a/b has failed'] }, 'v3.31.4')).toEqual([
      'Available False Unknown: ',
      'Progressing False Unknown: ',
      'Degraded True PodFailure: Pod a/b has failed',
    ]);
  });
});

describe('stored conditions', () => {
  const wanted = conditionsOf(fine, releaseOf('v3.31.4'));
  const stored = mergedConditions([], wanted, '2026-01-01T00:00:00Z') ?? [];
  test('nothing to write when they are there already', () => {
    expect(mergedConditions(stored, wanted, '2026-01-02T00:00:00Z')).toBeNull();
  });
  test('the time of a condition moves with its status only', () => {
    const next = mergedConditions(
      stored,
      conditionsOf({ ...fine, generation: 7, progressing: [rolling] }, releaseOf('v3.31.4')),
      '2026-01-02T00:00:00Z',
    );
    expect(next?.map((one) => [one.type, one.lastTransitionTime?.slice(0, 10), one.observedGeneration])).toEqual([
      ['Available', '2026-01-02', 7],
      ['Progressing', '2026-01-02', 7],
      ['Degraded', '2026-01-01', 7],
    ]);
  });
  test('a condition that changes keeps its place, a new one comes last (upgrade-3.30.7-to-3.31.4.jsonl: D, DA, DAP)', () => {
    const types = (conditions: readonly { type: string }[] | null) => conditions?.map(({ type }) => type[0]).join('');
    const rollout = conditionsOf({ ...fine, progressing: [rolling] }, releaseOf('v3.31.4'));
    for (const one of rollout.slice(0, 2))
      expect(types(mergedConditions(stored, [one], '2026-01-02T00:00:00Z')), one.type).toBe('APD');
    const [available, , degraded] = wanted;
    if (!available || !degraded) throw new Error('three conditions');
    const first = mergedConditions([], [degraded], '2026-01-01T00:00:00Z') ?? [];
    expect(types(mergedConditions(first, [available], '2026-01-01T00:00:00Z'))).toBe('DA');
  });
  test('on the Installation, Available is called Ready', () => {
    expect(forInstallation(stored).map((one) => [one.type, one.status])).toEqual([
      ['Ready', 'True'],
      ['Progressing', 'False'],
      ['Degraded', 'False'],
    ]);
  });
});
