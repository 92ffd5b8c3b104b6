import { expect, test } from 'vitest';
import type { Condition, Plan, PlannedOperation } from '#lib/plan/index.ts';
import { aPlan } from '#lib/plan/testing/a-cluster.ts';
import { flagsByProgram } from '#lib/text/index.ts';
import { type Entry, type Journal, journalSchema } from './journal.ts';
import type { Provenance } from './provenance.ts';
import { reportAsMarkdown, reportOf } from './report.ts';
import type { RunSummary } from './run-summary.ts';

const plan = aPlan({}, { endpoint: { host: '10.0.0.100', port: '6443' } });
const needed = plan.operations.filter(({ status }) => status === 'needed');
const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

function carried(state: Journal['state'], given: { steps?: number; nodes?: [string, number][]; more?: Entry[] } = {}) {
  const { steps = needed.length, nodes = [], more = [] } = given;
  const entries = needed.slice(0, steps).flatMap(({ seq, id }): Entry[] => [
    { what: 'begun', direction: 'forward', seq, at: at(seq), by: 'i/p' },
    {
      what: 'finished',
      direction: 'forward',
      seq,
      at: at(seq + 1),
      outcome: 'met',
      note: null,
      ...(id === 'bpf.active' && nodes.length > 0
        ? {
            seen: {
              nodes: nodes.map(([name, took]): [string, 'proven', 'bpf', number, number, string] => [
                name,
                'proven',
                'bpf',
                took,
                0,
                '',
              ]),
              conditions: [],
            },
          }
        : {}),
    },
  ]);
  return journalSchema.parse({
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r',
    goal: 'enable',
    cluster: 'c',
    planHash: plan.hash,
    startedAt: at(0),
    startedBy: 'i/p',
    state,
    accepted: [],
    entries: [...entries, ...more],
  });
}
const report = (journal: Journal) => reportOf(plan, journal, { kind: 'own' });
const ended = (state: string, seconds: number): Entry => ({ what: 'ended', at: at(seconds), state });

test('a run that is done begins with what it came to: outcome, time, the slow node, before and after, the way back', () => {
  const nodes: [string, number][] = [
    ['w-1', 6],
    ['w-2', 7],
    ['w-3', 72],
  ];
  const made = report(carried({ kind: 'done' }, { nodes, more: [ended('done', 422)] }));
  expect([made.outcome, made.tookSeconds, made.endedAt]).toEqual(['Done', 422, at(422)]);
  expect(made.summary).toBe('All 3 nodes run eBPF, proven by their agents. w-3 took 1 m 12 s, the median is 7 s.');
  expect(made.beforeAfter).toEqual([
    { topic: 'Data plane', before: 'iptables', after: 'eBPF, proven on 3 of 3 nodes' },
    { topic: 'Service proxy', before: 'kube-proxy on', after: 'kube-proxy off' },
    { topic: 'API server by', before: 'its Service, through kube-proxy', after: '10.0.0.100:6443' },
  ]);
  expect(made.wayBack).toMatchObject({ possible: true, because: null, command: 'signalbox undo r' });
  expect(made.wayBack.steps).toBeGreaterThan(3);
  const markdown = reportAsMarkdown(made);
  expect(markdown.indexOf('**Done in 7 m 2 s.**')).toBeLessThan(markdown.indexOf('## Steps'));
  expect(markdown).toContain('| Data plane | iptables | eBPF, proven on 3 of 3 nodes |');
});

test('a run that was stopped says where, what stays, and moved nothing that it did not reach', () => {
  const remains = ['a', 'b'];
  const made = report(carried({ kind: 'stopped', remains }, { steps: 3, more: [ended('stopped', 60)] }));
  expect(made.outcome).toBe(`Stopped at step ${needed[3]?.seq}`);
  expect(made.summary).toBe('2 changes stay on the cluster.');
  expect(made.beforeAfter.find(({ topic }) => topic === 'Data plane')?.after).toBe('not changed');
  expect(made.wayBack.possible).toBe(true);
});

test('a run that was undone is as before, and has no way back', () => {
  const back = needed.map(
    ({ seq }): Entry => ({ what: 'finished', direction: 'undo', seq, at: at(500), outcome: 'met', note: null }),
  );
  const made = report(
    carried(
      { kind: 'undone' },
      { more: [{ what: 'undo-asked', at: at(450), by: 'i/p' }, ...back, ended('undone', 600)] },
    ),
  );
  expect([made.outcome, made.summary]).toEqual(['Undone', 'The cluster is as it was before this run.']);
  expect(made.beforeAfter.map(({ after }) => after)).toContain('iptables again');
  expect(made.wayBack).toMatchObject({ possible: false, because: 'The run was undone.' });
});

test('a run that goes on has not ended, and took no time yet', () => {
  const made = report(carried({ kind: 'running', direction: 'forward' }, { steps: 2 }));
  expect([made.outcome, made.endedAt, made.tookSeconds, made.wayBack.possible]).toEqual(['Running', null, null, false]);
});

test('of a step whose effect nobody saw the change is not told as a fact, on neither way', () => {
  const outcomeOf = (journal: Journal, outcome: string): Journal =>
    journalSchema.parse({
      ...journal,
      entries: journal.entries.map((entry) => (entry.what === 'finished' ? { ...entry, outcome } : entry)),
    });
  const done = carried({ kind: 'done' });
  const after = (journal: Journal) => report(journal).beforeAfter.map(({ after: made }) => made);
  expect(after(outcomeOf(done, 'met'))).toContain('kube-proxy off');
  for (const outcome of ['acknowledged', 'unknown']) {
    expect(after(outcomeOf(done, outcome))).toEqual([
      'eBPF, not verified',
      'kube-proxy off, not verified',
      '10.0.0.100:6443, not verified',
    ]);
  }
  const back = needed.map(
    ({ seq }): Entry => ({ what: 'finished', direction: 'undo', seq, at: at(500), outcome: 'unknown', note: null }),
  );
  const undone = carried({ kind: 'undone' }, { more: [{ what: 'undo-asked', at: at(450), by: 'i/p' }, ...back] });
  expect(after(undone)).toContain('kube-proxy on again, not verified');
});

test('a run that proved all else names the step whose effect was not seen, in its first sentences', () => {
  const proxy = needed.find(({ id }) => id.startsWith('proxy.disable.'));
  const done = carried({ kind: 'done' }, { nodes: [['w-1', 6]] });
  const entries = done.entries.map((entry) =>
    entry.what === 'finished' && entry.seq === proxy?.seq ? { ...entry, outcome: 'unknown' } : entry,
  );
  const result = report(journalSchema.parse({ ...done, entries }));
  expect([result.outcome, result.unverified]).toEqual(['Done, 1 not verified', 1]);
  expect(result.summary).toBe(
    `The one node runs eBPF, proven by its agent. Not verified: step ${proxy?.seq} (${proxy?.title}).`,
  );
  expect(reportAsMarkdown(result)).toContain(`Not verified: step ${proxy?.seq} (${proxy?.title}).`);
});

test('the commands in the sentences of a paused run name the cluster, in the summary, the state and the events', () => {
  const because = 'The plan is stale. `signalbox plan` makes another.';
  const paused = { seq: 1, id: 'bpf.active', direction: 'forward', code: 'stale', because } as const;
  const journal = carried(
    { kind: 'paused', ...paused, meaning: '', choices: [], subjects: [] },
    { steps: 0, more: [{ what: 'paused', at: at(5), code: 'stale', because }] },
  );
  const made = reportOf(
    plan,
    journal,
    { kind: 'own' },
    { besides: [], flags: flagsByProgram({ sandbox: 'standard' }) },
  );
  const named = 'The plan is stale. `signalbox plan --sandbox standard` makes another.';
  expect(made.summary).toBe(named);
  expect(made.happenings.map(({ text }) => text)).toEqual([`Paused (stale): ${named}`]);
  const markdown = reportAsMarkdown(made);
  expect(markdown.match(/signalbox plan --sandbox standard/g)).toHaveLength(3);
  expect(report(journal).summary).toBe(because);
});

test('the way back is what the undo answers: later runs and runs of others come first, and the command names the cluster', () => {
  const journal = carried({ kind: 'done' });
  const other = (startedAt: string, state: RunSummary['state']): RunSummary => ({
    run: 'other',
    goal: 'upgrade',
    state,
    startedAt,
    startedBy: 'i/p',
    planHash: '',
    direction: 'forward',
    unverified: 0,
    namespace: 'signalbox',
  });
  const wayBack = (besides: RunSummary[], provenance: Provenance = { kind: 'own' }) =>
    reportOf(plan, journal, provenance, { besides, flags: flagsByProgram({ sandbox: 'standard' }) }).wayBack;
  expect(wayBack([other(at(-9), { kind: 'done' })])).toMatchObject({
    possible: true,
    command: 'signalbox undo r --sandbox standard',
  });
  expect(wayBack([other(at(9), { kind: 'done' })])).toMatchObject({
    possible: false,
    because: 'Run other came later and builds on this one. Undo that one first.',
  });
  expect(wayBack([other(at(9), { kind: 'undone' })]).possible).toBe(true);
  expect(wayBack([other(at(-9), { kind: 'running', direction: 'forward' })])).toMatchObject({
    possible: false,
    because: expect.stringContaining('other'),
  });
  expect(wayBack([], { kind: 'foreign', because: 'not-sealed' })).toMatchObject({
    possible: false,
    because: expect.stringContaining('`signalbox undo r --sandbox standard` shows'),
  });
  // The report's head has the reason.
  expect(wayBack([], { kind: 'foreign', because: 'not-sealed' }).because).not.toContain('author');
});

/** Two releases; each is moved to by a step with a way back, and waited for by the next one. */
function anUpgrade(): Plan {
  const template = needed.find(({ undo }) => undo !== null);
  if (!template?.undo) throw new Error('no step of the plan has a way back');
  const { undo } = template;
  const upgraded = (version: string): Condition => ({ kind: 'upgraded', version });
  const hop = (seq: number, from: string, to: string): PlannedOperation[] => [
    {
      ...template,
      id: 'operator.upgrade',
      seq,
      done: { kind: 'all', of: [] },
      undo: { ...undo, done: upgraded(from) },
    },
    { ...template, id: 'upgrade.wait', seq: seq + 1, done: upgraded(to), undo: null },
  ];
  return { ...plan, goal: 'upgrade', operations: [...hop(1, 'v3.30.4', 'v3.30.7'), ...hop(3, 'v3.30.7', 'v3.31.4')] };
}

const step = (seq: number, way: { back?: true; begun?: true } = {}): Entry => {
  const direction = way.back ? 'undo' : 'forward';
  return way.begun
    ? { what: 'begun', direction, seq, at: at(seq), by: 'i/p' }
    : { what: 'finished', direction, seq, at: at(seq), outcome: 'met', note: null };
};
const stopped: Journal['state'] = { kind: 'stopped', remains: ['a'] };
const askedBack: Entry = { what: 'undo-asked', at: at(450), by: 'i/p' };
const all = [1, 2, 3, 4].map((seq) => step(seq));

test.each<[string, Journal['state'], Entry[], string]>([
  ['done', { kind: 'done' }, all, 'v3.31.4'],
  ['stopped before anything moved', stopped, [], 'not changed'],
  ['stopped while nodes move', stopped, [step(1, { begun: true })], 'half-done'],
  ['stopped while the first release is waited for', stopped, [step(1)], 'half-done'],
  ['stopped between the releases', stopped, all.slice(0, 2), 'v3.30.7'],
  ['stopped on the way to the second', stopped, all.slice(0, 3), 'half-done'],
  [
    'undone',
    { kind: 'undone' },
    [...all, askedBack, step(3, { back: true }), step(1, { back: true })],
    'v3.30.4 again',
  ],
  ['stopped on the way back', stopped, [...all, askedBack, step(3, { back: true })], 'half-done'],
])('the report of an upgrade names the releases before and after: %s', (_, state, more, after) => {
  const made = reportOf(anUpgrade(), carried(state, { steps: 0, more }), { kind: 'own' });
  expect(made.beforeAfter).toEqual([{ topic: 'Calico', before: 'v3.30.4', after }]);
});
