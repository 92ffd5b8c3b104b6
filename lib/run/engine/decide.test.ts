import { describe, expect, test } from 'vitest';
import type { Subject } from '#lib/facts/index.ts';
import { KubeError } from '#lib/kube/index.ts';
import type { Plan, PlannedOperation } from '#lib/plan/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { resources } from '#lib/spec/index.ts';
import type { Progress } from '../conditions/progress.ts';
import { JournalGone, JournalTaken } from '../journal/journal-store.ts';
import type { Accepted, Entry, Journal } from '../model/journal.ts';
import { answerTo, decide } from './decide.ts';
import type { Call, Next, Observation } from './decision.ts';
import { pausedState } from './pause.ts';

const at = '2026-11-21T06:00:00.000Z';
const subject: Subject = { kind: 'Node', namespace: null, name: 'a', detail: 'is away' };
const met: Progress = { kind: 'met', evidence: [] };
const waiting: Progress = { kind: 'waiting', awaiting: 'the rollout', heldUpBy: [] };
const failed: Progress = { kind: 'failed', code: 'node.refuses-bpf', because: 'No.', subjects: [] };
const unknown: Progress = { kind: 'unknown', because: 'Nobody can see it.', subjects: [subject] };
const settling: Progress = { ...unknown, settleSeconds: 60 };
const accepted: Omit<Accepted, 'seq'> = { direction: 'forward', reason: 'seen', subjects: ['/Node/a'] };

/**
 * Step 1 writes and waits, with a nudge after 60 s; step 2 applies a file, whose effect cannot be seen; step 3 waits for the same condition as step
 * 1; step 4 only verifies.
 */
const plan = planOf(
  {
    act: { kind: 'merge-patch', target: felix(), body: {} },
    nudge: { afterSeconds: 60, because: 'Nudged.', act: { kind: 'wait' } },
  },
  { act: { kind: 'apply-manifest', manifest: { version: 'v3', file: 'f', sha256: '' }, targets: [], force: false } },
  { act: { kind: 'wait' } },
  { act: { kind: 'verify' } },
);

/** The journal so far, what was seen, and what is done next. `undo 1` names a step of the way back. */
type Row = readonly [journal: string, seen: Observation, next: string];

describe('a step from its beginning to its end', () => {
  rows([
    ['', saw('nothing'), 'listen'],
    ['', call(null), 'compare 1'],
    ['', changes(), 'begin 1'],
    ['begun 1', saw('begun'), 'act 1'],
    ['begun 1, acted 1', saw('acted'), 'wait 1'],
    ['begun 1, acted 1', look(met), 'finish 1 met'],
    ['begun 1, acted 1, finished 1', saw('nothing'), 'listen'],
    ['begun 1, acted 1, finished 1', call(null), 'compare 2'],
    ['finished 1, finished 2, finished 3, finished 4', saw('nothing'), 'listen'],
    ['finished 1, finished 2, finished 3, finished 4', call(null), 'end done'],
  ]);
});

describe('a step that a process which is gone had begun', () => {
  rows([
    ['begun 1', call(null), 'look 1'],
    ['begun 1', { saw: 'effect', progress: met }, 'finish 1 met: its effect was already there when the run continued'],
    ['begun 1', { saw: 'effect', progress: waiting }, 'compare 1 begun'],
    ['begun 1', { saw: 'effect', progress: unknown }, 'compare 1 begun'],
    ['begun 1', changes(), 'act 1'],
    ['begun 1, acted 1', call(null), 'wait 1'],
    // Nothing shows that a file was applied, so it is applied once more.
    ['finished 1, begun 2', call(null), 'compare 2 begun'],
  ]);
});

describe('what changed since the plan was made', () => {
  const changed = 'object.changed: Step 1: something changed since the plan was made. Node a: is away.';
  rows([
    ['', changes(subject), `pause 1 ${changed} → resume, undo, stop`],
    ['begun 1', changes(subject), `pause 1 ${changed} → resume, undo, stop`],
  ]);
});

describe('what somebody asks for', () => {
  rows([
    ['', requested('pause'), 'pause 1 asked: A pause was requested. → resume, undo, stop'],
    ['', requested('resume'), 'listen'],
    ['', requested('stop'), 'stop 1'],
    ['begun 1, acted 1', requested('undo'), 'turn-back'],
    ['begun 1, undo-asked', saw('turned-back'), 'listen'],
    ['begun 1, undo-asked', call(null), 'compare undo 1'],
    ['begun 1, undo-asked', requested('undo'), 'listen'],
    ['begun 1, undo-asked', requested('stop'), 'stop undo 1'],
    ['begun 1, undo-asked', requested('pause'), 'pause undo 1 asked: A pause was requested. → resume, stop'],
    ['begun 1, undo-asked, begun undo 1, acted undo 1, finished undo 1', call(null), 'end undone'],
    // Nothing was begun, so there is nothing to undo.
    ['undo-asked', saw('turned-back'), 'listen'],
    ['undo-asked', requested('undo'), 'end undone'],
    // Undo was requested while the last step was awaited: the run can still turn back.
    ['finished 1, finished 2, finished 3, finished 4', requested('undo'), 'turn-back'],
    ['finished 1, finished 2, finished 3, finished 4', requested('pause'), 'end done'],
    ['finished 1, finished 2, finished 3, finished 4', requested('stop'), 'end done'],
    ['finished 1, finished 2, finished 3, finished 4', requested('resume'), 'end done'],
  ]);

  test.each([
    ['', 'pause', true, 'taken'],
    ['', 'stop', true, 'taken'],
    ['', 'undo', true, 'taken'],
    ['', 'resume', false, 'the run is already in progress'],
    ['finished 1, finished 2, finished 3, finished 4', 'undo', true, 'taken'],
    ['finished 1, finished 2, finished 3, finished 4', 'pause', false, 'the run has ended'],
    ['finished 1, finished 2, finished 3, finished 4', 'resume', false, 'the run has ended'],
  ] as const)('after %j, %s of another process is answered', (entries, action, taken, answer) => {
    expect(answerTo({ plan, journal: journalOf(entries) }, action)).toEqual({ taken, answer });
  });
});

describe('a process that may not carry the run any more', () => {
  rows([
    ['', call({ kind: 'lease-lost' }), 'leave lost: another process holds the Lease'],
    ['', call({ kind: 'interrupted' }), 'leave interrupted'],
    [
      'begun 1',
      call({ kind: 'lease-refused', code: 'forbidden', message: 'No.' }),
      'pause 1 lease.forbidden: The Lease of this run cannot be renewed: No. → resume, undo, stop',
    ],
    // All steps are finished. Only the end is left to record, which the journal refuses if another process has taken it.
    ['finished 1, finished 2, finished 3, finished 4', call({ kind: 'lease-lost' }), 'end done'],
  ]);
});

describe('an act that fails', () => {
  rows([
    ['begun 1', failedAct('timeout'), 'retry'],
    ['begun 1', failedAct('server'), 'retry'],
    ['begun 1', failedAct('conflict'), 'retry'],
    ['begun 1', failedAct('not-served', { status: 503 }), 'retry'],
    ['begun 1', failedAct('not-served'), 'pause 1 act.not-served: Step 1: No. → resume, undo, stop'],
    ['begun 1', failedAct('forbidden'), 'pause 1 act.forbidden: Step 1: No. → resume, undo, stop'],
    [
      'begun 1',
      failedAct('conflict', { conflicts: [{ manager: 'argocd', field: 'f' }] }),
      'pause 1 act.conflict: Step 1: No. → resume, undo, stop',
    ],
    ['begun 1, undo-asked, begun undo 1', failedAct('invalid'), 'pause undo 1 act.invalid: Back 1: No. → resume, stop'],
    ['begun 1', failedAct('unauthorized'), 'throw'],
    ['begun 1', failedAct('aborted'), 'throw'],
    ['begun 1', failedAct('credentials'), 'throw'],
    ['begun 1', { saw: 'act-failed', error: new RangeError('a fault of ours') }, 'throw'],
    [
      'begun 1',
      { saw: 'file-missing', because: 'No file.' },
      'pause 1 release.missing: Step 1: No file. → resume, undo, stop',
    ],
  ]);
});

describe('a look while a step is awaited', () => {
  const crash = { key: 'k', code: 'pod.crashes', container: 'c', attempts: 4, subject, seconds: 61 } as const;
  const crashes =
    'pause 1 pod.crashes: Step 1 makes no progress: Node a: is away. It has been like this for 61 s, 4 attempts; waiting alone does not fix it. → undo, keep-waiting, stop';
  const acted = 'begun 1, acted 1';
  rows([
    [acted, look(waiting), 'keep-waiting for the rollout'],
    [acted, look(waiting, { waitedSeconds: 100 }), 'keep-waiting for the rollout'],
    [
      acted,
      look(waiting, { waitedSeconds: 101 }),
      'pause 1 deadline: Step 1 has taken longer than 100 s. It waits for the rollout. → keep-waiting, undo, stop',
    ],
    [acted, look(failed), 'pause 1 node.refuses-bpf: No. → undo, keep-waiting, stop'],
    [
      `${acted}, undo-asked, begun undo 1, acted undo 1`,
      look(failed),
      'pause undo 1 node.refuses-bpf: No. → keep-waiting, stop',
    ],
    [acted, look({ kind: 'met', evidence: [], note: '4 of 4' }), 'finish 1 met: 4 of 4'],
    [
      `${acted}, undo-asked, begun undo 1, acted undo 1`,
      look(waiting, { waitedSeconds: 101 }),
      'pause undo 1 deadline: Back 1 has taken longer than 100 s. It waits for the rollout. → keep-waiting, stop',
    ],
    // The operator has not reacted yet: one nudge.
    [acted, look(waiting, { silentSeconds: 59 }), 'keep-waiting for the rollout'],
    [acted, look(waiting, { silentSeconds: 60 }), 'keep-waiting for the rollout, nudge: Nudged.'],
    [`${acted}, nudged 1`, look(waiting, { silentSeconds: 600 }), 'keep-waiting for the rollout'],
    ['finished 1, finished 2, begun 3, acted 3', look(waiting, { silentSeconds: 600 }), 'keep-waiting for the rollout'],
    // A fault that lasts pauses the run once. After *keep waiting* it does not pause this step again.
    [acted, look(waiting, { fault: crash }), crashes],
    [`${acted}, paused pod.crashes`, look(waiting, { fault: crash }), 'keep-waiting for the rollout'],
    [`${acted}, paused pod.image`, look(waiting, { fault: crash }), crashes],
    [`paused pod.crashes, ${acted}`, look(waiting, { fault: crash }), crashes],
    // A doubt that lasts pauses the run. Once accepted it is passed over, in this step and in a later one with the same condition.
    [acted, look(unknown, { unknownSeconds: 19 }), 'keep-waiting for an answer. Nobody can see it'],
    [
      acted,
      look(unknown, { unknownSeconds: 20 }),
      'pause 1 unknown: Nobody can see it. → acknowledge, keep-waiting, undo, stop',
    ],
    [
      `${acted}, accepted 1`,
      look(unknown, { unknownSeconds: 20 }),
      'finish 1 acknowledged: Nobody can see it. Accepted: seen',
    ],
    [
      'finished 1, finished 2, begun 3, acted 3, accepted 1',
      look(unknown, { unknownSeconds: 20 }),
      'finish 3 acknowledged: Nobody can see it. Accepted: seen',
    ],
    [
      `${acted}, accepted 2`,
      look(unknown, { unknownSeconds: 20 }),
      'pause 1 unknown: Nobody can see it. → acknowledge, keep-waiting, undo, stop',
    ],
    // After a while without a sign of the contrary the user may accept it, but it is never recorded as met.
    [acted, look(settling, { unknownSeconds: 59 }), 'keep-waiting for 60 s to pass: Nobody can see it.'],
    [acted, look(settling, { unknownSeconds: 60 }), 'finish 1 unknown: Nobody can see it. 60 s passed instead.'],
    // The last verification delays nothing.
    ['finished 1, finished 2, finished 3, begun 4, acted 4', look(unknown), 'finish 4 unknown: Nobody can see it.'],
  ]);
});

describe('tools that write the same objects', () => {
  const because =
    'Another tool now writes the same fields as this run: Node a: is away. It would revert the values of this run. Change its source or pause it, then continue.';
  rows([
    ['begun 1, acted 1', { saw: 'reconcilers', subjects: [] }, 'listen'],
    [
      'begun 1, acted 1',
      { saw: 'reconcilers', subjects: [subject] },
      `pause 1 managed-by.reconciler: ${because} → resume, undo, stop`,
    ],
    [`begun 1, acted 1, paused ${because}`, { saw: 'reconcilers', subjects: [subject] }, 'listen'],
  ]);
});

describe('a service that does not answer', () => {
  const gap: Observation = { saw: 'gap', gap: { node: 'a', kind: 'api', ms: 16_000 } };
  const paused =
    'pause 1 services.gap: Step 1: on node a, ClusterIP has not answered for 16 s. A step may interrupt it for at most 15 s. → undo, keep-waiting, stop';
  rows([
    ['begun 1, acted 1', gap, paused],
    ['begun 1, acted 1, paused services.gap', gap, 'listen'],
    ['paused services.gap, begun 1, acted 1', gap, paused],
    // The way back repairs the gap.
    ['begun 1, acted 1, undo-asked, begun undo 1, acted undo 1', gap, 'listen'],
  ]);
});

describe('what no repetition answers', () => {
  const over = 'finished 1, finished 2, finished 3, finished 4';
  rows([
    ['begun 1', failure(new JournalTaken('Taken.')), 'leave lost: Taken.'],
    ['begun 1', failure(new JournalGone('Gone.')), 'pause-unwritten journal.gone: Gone.'],
    ['begun 1', failure(error('forbidden'), { kind: 'lease-lost' }), 'leave lost: another process holds the Lease'],
    ['begun 1', failure(error('forbidden'), { kind: 'interrupted' }), 'leave interrupted'],
    ['begun 1', failure(error('credentials')), 'pause-unwritten credentials: No.'],
    ['begun 1', failure(error('unauthorized')), 'pause-unwritten credentials: No.'],
    ['begun 1', failure(error('forbidden')), 'pause 1 read.forbidden: Step 1: No. → resume, undo, stop'],
    [
      'begun 1',
      failure(error('forbidden'), { kind: 'lease-refused', code: 'forbidden', message: 'No.' }),
      'pause 1 read.forbidden: Step 1: No. → resume, undo, stop',
    ],
    [over, failure(error('forbidden')), 'throw'],
    ['begun 1', failure(new RangeError('a fault of ours')), 'throw'],
    ['begun 1', { saw: 'pause-unwritten', error: error('forbidden') }, 'pause-unwritten journal.forbidden: No.'],
    ['begun 1', { saw: 'pause-unwritten', error: new JournalTaken('Taken.') }, 'throw'],
  ]);
});

describe('an upgrade that pauses at the release on its way', () => {
  const reached = (version: string) => ({ done: { kind: 'upgraded' as const, version } });
  const [from, back, to] = ['release.active', 'owner-refs.restore', 'crds'];
  const hops = planOf(...Array.from({ length: 5 }, () => ({ act: { kind: 'wait' as const } })));
  const ways: Partial<PlannedOperation>[] = [{ id: to }, { id: from, ...reached('v3.30.7') }, { id: back }, { id: to }];
  const operations = hops.operations.map((one, at) => ({
    ...one,
    ...(ways[at] ?? { id: from, ...reached('v3.31.4') }),
  })) as PlannedOperation[];
  const upgrade: Plan = { ...hops, goal: 'upgrade', operations, choices: { ...hops.choices, pauseBetween: true } };
  const because = 'Every node runs v3.30.7, where the plan asked for a pause.';
  const paused = `pause 4 release.reached: ${because} → resume, undo, stop`;
  const there = 'finished 1, finished 2, finished 3';
  test.each<[string, Plan, string]>([
    ['finished 1', upgrade, 'compare 2'],
    // Owner references that were removed for this release come back before the pause.
    ['finished 1, finished 2', upgrade, 'compare 3'],
    [there, upgrade, paused],
    [`${there}, paused ${because}`, upgrade, 'compare 4'],
    [`${there}, begun 4`, upgrade, 'look 4'],
    [`${there}, finished 4`, upgrade, 'compare 5'],
    [`${there}, undo-asked`, upgrade, 'compare undo 3'],
    [there, { ...upgrade, choices: hops.choices }, 'compare 4'],
  ])('after [%s]', (entries, plan, next) => {
    expect(inWords(decide({ plan, journal: journalOf(entries) }, call(null)))).toBe(next);
  });
});

test('a pause that somebody asked for keeps who', () => {
  const call = { kind: 'asked', action: 'pause', by: 'an-install/7@1@desk' } as const;
  const next = decide({ plan, journal: journalOf('') }, { saw: 'call', call });
  if (next.do !== 'pause') throw new Error(next.do);
  expect(pausedState(next)).toMatchObject({ code: 'asked', by: 'an-install/7@1@desk' });
});

test('a pause is kept short, with what it means for the cluster', () => {
  const many = Array.from({ length: 501 }, (_, at) => ({ ...subject, name: `n${at}`, detail: 'x'.repeat(201) }));
  const next = decide({ plan, journal: journalOf('') }, { saw: 'changes', changes: many });
  if (next.do !== 'pause') throw new Error(next.do);
  const state = pausedState(next);
  expect(state).toMatchObject({
    kind: 'paused',
    direction: 'forward',
    seq: 1,
    id: 'switch.bpf',
    code: 'object.changed',
  });
  expect(state.meaning).toMatch(/eBPF/);
  expect(state.because).toHaveLength(2000);
  expect(state.subjects).toHaveLength(500);
  expect(state.subjects[0]?.detail).toBe(`${'x'.repeat(200)} …`);
});

function rows(table: readonly Row[]): void {
  test.each(table.map(([entries, seen, next]) => [entries, `${seen.saw}${detailOf(seen)}`, next, seen] as const))(
    'after [%s], %s: %s',
    (entries, _, next, seen) => expect(inWords(decide({ plan, journal: journalOf(entries) }, seen))).toBe(next),
  );
}

function inWords(next: Next): string {
  const name = 'step' in next ? `${next.step.key.direction === 'undo' ? 'undo ' : ''}${next.step.key.seq}` : '';
  switch (next.do) {
    case 'compare':
      return `compare ${name}${next.begun ? ' begun' : ''}`;
    case 'finish':
      return `finish ${name} ${next.outcome}${next.note === null ? '' : `: ${next.note}`}`;
    case 'pause':
      return `pause ${name} ${next.code}: ${next.because} → ${next.choices.join(', ')}`;
    case 'pause-unwritten':
      return `pause-unwritten ${next.code}: ${next.because}`;
    case 'keep-waiting':
      return `keep-waiting for ${next.awaiting}${next.nudge ? `, nudge: ${next.nudge.because}` : ''}`;
    case 'end':
      return `end ${next.as}`;
    case 'leave':
      return `leave ${next.outcome.kind}${'because' in next.outcome ? `: ${next.outcome.because}` : ''}`;
    default:
      return `${next.do} ${name}`.trim();
  }
}

function detailOf(seen: Observation): string {
  if (seen.saw === 'call' && seen.call) return ` ${seen.call.kind === 'asked' ? seen.call.action : seen.call.kind}`;
  if ('progress' in seen) return ` ${seen.progress.kind}`;
  return 'error' in seen && seen.error instanceof Error
    ? ` ${'code' in seen.error ? seen.error.code : seen.error.name}`
    : '';
}

function saw(what: 'nothing' | 'turned-back' | 'begun' | 'acted'): Observation {
  return { saw: what };
}
function call(what: Call | null): Observation {
  return { saw: 'call', call: what };
}
function requested(action: Extract<Call, { kind: 'asked' }>['action']): Observation {
  return call({ kind: 'asked', action });
}
function changes(...found: Subject[]): Observation {
  return { saw: 'changes', changes: found };
}
function look(progress: Progress, more: Partial<Extract<Observation, { saw: 'progress' }>> = {}): Observation {
  const since = { unknownSeconds: 0, waitedSeconds: 0, silentSeconds: null, fault: null };
  return { saw: 'progress', done: { kind: 'proxy-gone' }, progress, ...since, ...more };
}
function error(code: KubeError['code'], detail: KubeError['detail'] = {}): KubeError {
  return new KubeError(code, 'No.', detail);
}
function failedAct(code: KubeError['code'], detail: KubeError['detail'] = {}): Observation {
  return { saw: 'act-failed', error: error(code, detail) };
}
function failure(thrown: Error, by: Call | null = null): Observation {
  return { saw: 'failure', error: thrown, call: by };
}

function felix() {
  return { resource: resources.felixConfigurations, name: 'default' };
}

function planOf(...parts: (Pick<PlannedOperation, 'act'> & Partial<PlannedOperation>)[]): Plan {
  const made = aPlan();
  const model = made.operations.find(({ id }) => id === 'switch.bpf');
  if (!model?.undo) throw new Error('There is no switch.bpf.');
  const { undo } = model;
  const operations = parts.map((part, index): PlannedOperation => {
    const seq = index + 1;
    const done = seq === 2 ? ({ kind: 'journalled' } as const) : ({ kind: 'proxy-gone' } as const);
    return {
      ...model,
      ...part,
      seq,
      title: `Step ${seq}`,
      done,
      status: 'needed',
      deadlineSeconds: 100,
      undo: { ...undo, title: `Back ${seq}`, pulls: [], act: { kind: 'wait' }, done, deadlineSeconds: 100 },
    };
  });
  return { ...made, operations };
}

/** Builds a journal. `begun undo 1` is an entry of the way back. More about an entry follows its name; of a pause its code or sentence. */
function journalOf(entries: string): Journal {
  const all = entries === '' ? [] : entries.split(/, (?=begun|acted|finished|paused|nudged|undo-asked|accepted)/);
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r1',
    goal: 'enable',
    cluster: 'test',
    planHash: plan.hash,
    startedAt: at,
    startedBy: 'here/1',
    state: { kind: 'running', direction: 'forward' },
    accepted: all
      .filter((one) => one.startsWith('accepted'))
      .map((one) => ({ ...accepted, seq: Number(one.slice(9)) })),
    entries: all.filter((one) => !one.startsWith('accepted')).map(entryOf),
  };
}

function entryOf(text: string): Entry {
  const [what = '', ...rest] = text.split(' ');
  const key = { direction: rest.length > 1 ? 'undo' : 'forward', seq: Number(rest.at(-1)) } as const;
  switch (what) {
    case 'begun':
      return { what, ...key, at, by: 'here/1' };
    case 'acted':
      return { what, ...key, at };
    case 'finished':
      return { what, ...key, at, outcome: 'met', note: null };
    case 'nudged':
      return { what, at, seq: key.seq, because: 'Nudged.' };
    case 'undo-asked':
      return { what, at, by: 'here/1' };
    case 'paused':
      return { what, at, code: rest.join(' '), because: rest.join(' ') };
    default:
      throw new Error(`${text} is no entry.`);
  }
}
