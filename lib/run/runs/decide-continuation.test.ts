import { describe, expect, test } from 'vitest';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { digestOfRun } from '../memory/digest-of-run.ts';
import type { Entry, Journal, RunState } from '../model/journal.ts';
import type { RunSummary } from '../model/run-summary.ts';
import {
  type Continuation,
  type ContinuationContext,
  decideContinuation,
  type SeenRun,
} from './decide-continuation.ts';

const at = '2026-11-21T07:00:00.000Z';
const plan = aPlan();
const paused: RunState = {
  kind: 'paused',
  direction: 'forward',
  seq: 1,
  id: 'bpf.active',
  code: 'unknown',
  because: '',
  meaning: '',
  subjects: [{ kind: 'Node', namespace: null, name: 'a', detail: '' }],
  choices: [],
};
const states: Record<string, RunState> = {
  forward: { kind: 'running', direction: 'forward' },
  back: { kind: 'running', direction: 'undo' },
  doubt: paused,
  asked: { ...paused, code: 'asked' },
  done: { kind: 'done' },
  undone: { kind: 'undone' },
  stopped: { kind: 'stopped', remains: [] },
};
const begun: Entry = { what: 'begun', direction: 'forward', seq: 1, at, by: 'here/0' };
const undoAsked: Entry = { what: 'undo-asked', at, by: 'here/0' };

function seen(state: string, provenance: SeenRun['provenance'] = { kind: 'own' }): SeenRun {
  const journal: Journal = {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r1',
    goal: 'enable',
    cluster: 'test',
    planHash: plan.hash,
    startedAt: '2026-11-21T06:00:00.000Z',
    startedBy: 'here/0',
    state: states[state] ?? { kind: 'done' },
    accepted: [],
    entries: state === 'back' || state === 'undone' ? [begun, undoAsked] : [begun],
  };
  return { plan, journal, provenance };
}

const alone: ContinuationContext = { isOfCluster: true, besides: [], takenFrom: null, at, by: 'here/1' };
const another = (run: string, startedAt: string, state: RunState): RunSummary => ({
  run,
  goal: 'enable',
  state,
  startedAt,
  startedBy: 'here/0',
  direction: 'forward',
  unverified: 0,
  planHash: '',
  namespace: 'signalbox',
});

/** The entries that are written, the state, and what begins in its place. */
function decisionOn(seenRun: SeenRun, continuation: Continuation, besides: Partial<ContinuationContext>): string {
  const decided = decideContinuation(seenRun, continuation, { ...alone, ...besides });
  if ('refused' in decided) return `refused: ${decided.refused.kind}`;
  const { adopt, entries, state, begin } = decided;
  return [
    ...(adopt ? ['adopted;'] : []),
    entries.map(({ what }) => what).join(', '),
    `→ ${state.kind === 'running' ? state.direction : state.kind}`,
    ...(begin ? ['and another begins'] : []),
  ].join(' ');
}

const resume: Continuation = { how: 'resume' };
const undo: Continuation = { how: 'undo' };
const stop: Continuation = { how: 'stop' };
const accepting = (id: string): Continuation => ({ how: 'resume', acknowledge: { [id]: 'seen' } });
const deadHolder = { takenFrom: 'other/1' };
const later = { besides: [another('r2', '2026-11-21T06:30:00.000Z', { kind: 'done' })] };
const laterUndone = { besides: [another('r2', '2026-11-21T06:30:00.000Z', { kind: 'undone' })] };
const open = { besides: [another('r0', '2026-11-21T05:00:00.000Z', { kind: 'running', direction: 'forward' })] };

describe('a run of this installation', () => {
  test.each<[string, Continuation, Partial<ContinuationContext>, string]>([
    ['forward', resume, {}, 'resumed → forward'],
    ['forward', resume, deadHolder, 'taken-over, resumed → forward'],
    ['back', resume, {}, 'resumed → undo'],
    ['back', undo, {}, 'resumed → undo'],
    ['asked', resume, {}, 'resumed → forward'],
    ['asked', undo, deadHolder, 'taken-over, undo-asked → undo'],
    ['asked', stop, {}, 'ended → stopped'],
    ['asked', stop, deadHolder, 'taken-over, ended → stopped'],
    ['done', resume, {}, 'refused: ended'],
    ['done', stop, {}, 'refused: ended'],
    ['done', undo, {}, 'undo-asked → undo'],
    ['stopped', undo, {}, 'undo-asked → undo'],
    ['undone', undo, {}, 'refused: ended'],
    ['doubt', accepting('bpf.active'), {}, 'acknowledged, resumed → forward'],
    ['doubt', accepting('switch.bpf'), {}, 'refused: nothing-to-accept'],
    ['asked', accepting('bpf.active'), {}, 'refused: nothing-to-accept'],
    ['forward', accepting('bpf.active'), {}, 'refused: nothing-to-accept'],
    ['done', undo, later, 'refused: later-run'],
    ['done', undo, laterUndone, 'undo-asked → undo'],
    ['forward', resume, later, 'resumed → forward'],
    ['asked', stop, later, 'ended → stopped'],
    ['asked', resume, open, 'refused: unfinished'],
    ['asked', stop, open, 'refused: unfinished'],
    ['asked', resume, { isOfCluster: false }, 'refused: other-cluster'],
  ])('%s, %j, %j: %s', (state, continuation, besides, expected) => {
    expect(decisionOn(seen(state), continuation, besides)).toBe(expected);
  });

  test('accepts the doubt for the subjects that it names, beside what was accepted before', () => {
    const before = { direction: 'forward', seq: 0, reason: 'earlier', subjects: [] } as const;
    const run = seen('doubt');
    const known = { ...run, journal: { ...run.journal, accepted: [{ ...before, subjects: [] }] } };
    expect(decideContinuation(known, accepting('bpf.active'), alone)).toMatchObject({
      accepted: [before, { direction: 'forward', seq: 1, reason: 'seen', subjects: ['/Node/a'] }],
    });
  });
});

describe('a foreign run', () => {
  const foreign = (state: string) => seen(state, { kind: 'foreign', because: 'not-sealed' });
  const confirmed = (state: string, how: 'resume' | 'undo', digest = digestOfRun(foreign(state))): Continuation => ({
    how,
    confirmed: how === 'resume' ? { digest, how, plan } : { digest, how, plan, entries: [begun] },
  });
  test.each<[string, Continuation, Partial<ContinuationContext>, string]>([
    ['asked', resume, {}, 'refused: foreign'],
    ['asked', undo, {}, 'refused: foreign'],
    ['asked', stop, {}, 'ended → stopped'],
    ['asked', confirmed('asked', 'resume'), {}, 'ended → stopped and another begins'],
    ['asked', confirmed('asked', 'resume'), deadHolder, 'taken-over, ended → stopped and another begins'],
    ['asked', confirmed('asked', 'undo'), {}, 'adopted; undo-asked → undo'],
    // Its claim of being undone is not trusted: it is undone from the beginning.
    ['back', confirmed('back', 'undo'), {}, 'adopted; undo-asked → undo'],
    ['done', confirmed('done', 'undo'), later, 'refused: later-run'],
    ['asked', confirmed('asked', 'resume', 'another'), {}, 'refused: changed-since-shown'],
    ['asked', confirmed('asked', 'undo', 'another'), {}, 'refused: changed-since-shown'],
  ])('%s, %j, %j: %s', (state, continuation, besides, expected) => {
    expect(decisionOn(foreign(state), continuation, besides)).toBe(expected);
  });

  test('is sealed without the doubts that it says were accepted', () => {
    const run = foreign('asked');
    const claimed = { direction: 'forward', seq: 1, reason: 'forged', subjects: [] } as const;
    const known = { ...run, journal: { ...run.journal, accepted: [{ ...claimed, subjects: [] }] } };
    const decided = decideContinuation(known, confirmed('asked', 'undo', digestOfRun(known)), alone);
    expect(decided).toMatchObject({ adopt: { entries: [begun] }, accepted: [] });
  });
});
