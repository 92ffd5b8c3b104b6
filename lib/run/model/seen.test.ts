import { expect, test } from 'vitest';
import type { NodeState } from './event.ts';
import { journalSchema } from './journal.ts';
import { nodeTimes } from './node-times.ts';
import { eventsOfSeen, SeenSince } from './seen.ts';
import { seenSchema } from './seen-schema.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
const at = (seconds: number) => start + seconds * 1000;
const iso = (seconds: number) => new Date(at(seconds)).toISOString();

function aNode(state: NodeState['state'], dataplane: NodeState['dataplane'], name = 'w-1'): NodeState {
  return { name, state, dataplane, detail: state, evidence: [] };
}

function journalWith(...seen: { at: number; seen: ReturnType<SeenSince['take']> }[]) {
  return journalSchema.parse({
    apiVersion: 'signalbox.dev/v1',
    kind: 'Journal',
    run: 'r',
    goal: 'enable',
    cluster: 'c',
    planHash: 'sha256:0',
    startedAt: iso(0),
    startedBy: 'i/p',
    state: { kind: 'done' },
    accepted: [],
    entries: seen.map((one, index) => ({
      what: 'finished',
      direction: 'forward',
      seq: index + 1,
      at: iso(one.at),
      outcome: 'met',
      note: null,
      seen: one.seen,
    })),
  });
}

test('a node that moved is told with when it began and when it was proven', () => {
  const since = new SeenSince();
  since.node(aNode('waiting', 'standard'), at(0));
  since.node(aNode('restarting', null), at(10));
  since.node(aNode('waiting', null), at(12));
  since.node(aNode('proven', 'bpf'), at(16));
  const seen = since.take(at(20));
  if (!seen) throw new Error('nothing was seen');
  expect(
    eventsOfSeen(seen, iso(20)).map(({ at: when, body }) => [when, 'state' in body.data && body.data.state]),
  ).toEqual([
    [iso(10), 'restarting'],
    [iso(16), 'proven'],
  ]);
  expect(nodeTimes(journalWith({ at: 20, seen }))).toMatchObject([{ name: 'w-1', state: 'proven', tookSeconds: 6 }]);
});

test('a node that moves over two steps keeps its beginning, and is told again only where something happened', () => {
  const since = new SeenSince();
  since.node(aNode('restarting', null), at(10));
  const first = since.take(at(20));
  expect(since.take(at(25))).toBeUndefined();
  since.node(aNode('proven', 'bpf'), at(40));
  const second = since.take(at(50));
  const journal = journalWith({ at: 20, seen: first }, { at: 50, seen: second });
  expect(nodeTimes(journal)).toMatchObject([{ state: 'proven', tookSeconds: 30 }]);
});

test('5,000 nodes fit into a journal beside its plan', () => {
  const since = new SeenSince();
  for (let index = 0; index < 5_000; index++) {
    const name = `ip-10-0-${index % 250}-${index}.eu-west-1.compute.internal`;
    since.node(aNode('restarting', null, name), at(10));
    since.node(aNode('proven', 'bpf', name), at(300));
  }
  expect(JSON.stringify(since.take(at(400))).length).toBeLessThan(400 * 1024);
});

test('a process that carries a run on says only what the journal does not say yet', () => {
  const first = new SeenSince();
  first.node(aNode('restarting', null, 'w-1'), at(10));
  first.node(aNode('proven', 'bpf', 'w-2'), at(15));
  const journal = journalWith({ at: 20, seen: first.take(at(20)) });
  const second = new SeenSince(journal);
  second.node(aNode('restarting', null, 'w-1'), at(30));
  second.node(aNode('proven', 'bpf', 'w-2'), at(30));
  expect(second.take(at(35))).toBeUndefined();
  second.node(aNode('proven', 'bpf', 'w-1'), at(40));
  expect(second.take(at(50))?.nodes).toEqual([['w-1', 'proven', 'bpf', 40, 10, 'proven']]);
});

test('times that no date can hold are refused, and what hangs on them tells nothing', () => {
  const seen = { nodes: [['n', 'proven', 'bpf', null, 1e18, '']], conditions: [] };
  expect(seenSchema.safeParse(seen).success).toBe(false);
  const aSecond = seenSchema.parse({ ...seen, nodes: [['n', 'proven', 'bpf', null, 1, '']] });
  for (const time of ['x', '', '-271821-04-20T00:00:00.000Z']) expect(eventsOfSeen(aSecond, time)).toEqual([]);
});
