import { expect, test } from 'vitest';
import type { RunView } from '../wire.ts';
import { isAboutNodes, runSentence } from './run-sentence.ts';
import { aLine, aNow, aRunNode, aRunView } from './testing/views.ts';

const start = Date.UTC(2026, 0, 1);
const proven = (count: number, took: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => aRunNode(`w-${index + 1}`, { tookSeconds: took(index) }));
const waiting = (name: string) =>
  aRunNode(name, {
    state: 'restarting',
    dataplane: null,
    detail: 'its agent has just started again',
    movingSince: '2026-01-01T00:00:00.000Z',
  });

test.each<{ what: string; view: Partial<RunView>; lead: string; rest: string }>([
  {
    what: 'one node is awaited, and services are safe meanwhile',
    view: { now: aNow(), nodes: [...proven(13, (index) => 20 + index), waiting('w-14')] },
    lead: 'Waiting for w-14 to prove eBPF.',
    rest: 'Its agent has just started again, for 12 s now; the others took 20 s to 32 s. kube-proxy stays on until all 14 are proven.',
  },
  {
    what: 'three nodes are named',
    view: { now: aNow(), nodes: [waiting('w-1'), waiting('w-2'), waiting('w-3')] },
    lead: 'Waiting for w-1, w-2 and w-3 to prove eBPF.',
    rest: 'w-1: its agent has just started again, for 12 s now. kube-proxy stays on until all 3 are proven.',
  },
  {
    what: 'many are counted',
    view: { now: aNow(), nodes: Array.from({ length: 5_000 }, (_, index) => waiting(`w-${index}`)), operations: [] },
    lead: 'Waiting for 5,000 of 5,000 nodes to prove eBPF.',
    rest: 'w-0: its agent has just started again, for 12 s now.',
  },
  {
    what: 'on the way back the proxy is not promised',
    view: { now: aNow({ direction: 'undo', id: 'switch.bpf' }), nodes: [waiting('w-1')], operations: [] },
    lead: 'Waiting for w-1 to leave eBPF.',
    rest: 'Its agent has just started again, for 12 s now.',
  },
  {
    what: 'a wait that is not for nodes says who holds it up',
    view: {
      now: aNow({
        awaiting: 'calico-node to restart on every node: 2 of 4 have restarted, 3 are ready',
        heldUpBy: [
          { kind: 'Node', namespace: null, name: 'w-3', detail: 'its pod waits for an image' },
          { kind: 'Node', namespace: null, name: 'w-4', detail: '' },
        ],
      }),
      nodes: [
        aRunNode('w-1', { state: 'waiting', dataplane: 'standard' }),
        aRunNode('w-3', { state: 'restarting', dataplane: 'standard' }),
      ],
    },
    lead: 'Waiting for calico-node to restart on every node: 2 of 4 have restarted, 3 are ready.',
    rest: 'Held up by w-3 and 1 more: its pod waits for an image.',
  },
  {
    what: 'a step that has just begun',
    view: { now: aNow({ awaiting: null, title: 'Turn kube-proxy off' }) },
    lead: 'Turn kube-proxy off.',
    rest: '',
  },
  {
    what: 'between two steps',
    view: { operations: [aLine({ state: 'finished' }), aLine({ seq: 2, title: 'Turn kube-proxy off' })] },
    lead: 'Next: Turn kube-proxy off.',
    rest: '',
  },
  {
    what: 'done',
    view: { state: { kind: 'done' }, nodes: proven(14, () => 20) },
    lead: 'The run is done.',
    rest: 'All 14 nodes proved eBPF.',
  },
  {
    what: 'done on one node',
    view: { state: { kind: 'done' }, nodes: proven(1, () => 20) },
    lead: 'The run is done.',
    rest: 'The node proved eBPF.',
  },
  {
    what: 'paused at a doubt',
    view: {
      state: {
        kind: 'paused',
        direction: 'forward',
        seq: 2,
        id: 'proxy.disable.daemonset',
        code: 'unknown',
        because: 'Nobody can tell',
        meaning: 'Traffic is as before.',
        subjects: [],
        choices: ['undo'],
      },
    },
    lead: 'Paused at: Turn kube-proxy off.',
    rest: 'Nobody can tell. Traffic is as before.',
  },
])('$what', ({ view, lead, rest }) => {
  expect(runSentence(aRunView(view), start + 12_000)).toEqual({ lead, rest });
});

test('a count of nodes may stand beside a sentence about nodes, and beside no other', () => {
  const nodes = [...proven(9, () => 6), waiting('w-10')];
  expect(isAboutNodes(aRunView({ now: aNow(), nodes }))).toBe(true);
  expect(isAboutNodes(aRunView({ now: aNow({ id: 'endpoint.active' }), nodes }))).toBe(false);
  expect(isAboutNodes(aRunView({ now: null, nodes }))).toBe(false);
  expect(isAboutNodes(aRunView({ now: aNow(), nodes, state: { kind: 'done' } }))).toBe(false);
});
