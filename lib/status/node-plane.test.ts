import { expect, test } from 'vitest';
import { type AgentSaid, type NodeSeen, nodePlane } from './node-plane.ts';

const now = Date.UTC(2026, 0, 1, 12);
const hourAgo = now - 3_600_000;
const silent = (differs: Partial<Extract<AgentSaid, { kind: 'silent' }>> = {}): AgentSaid => ({
  kind: 'silent',
  startedAt: hourAgo,
  reachesBack: true,
  ...differs,
});
const ready = { ready: true, words: 'is ready', createdAt: hourAgo };
const replaced = { ready: false, words: 'is being replaced', createdAt: hourAgo };

/** A node of a standard cluster at rest. */
const aNode = (differs: Partial<NodeSeen>): NodeSeen => ({
  kernel: '6.1.0-13-amd64',
  apart: null,
  pod: ready,
  said: silent(),
  wanted: 'standard',
  asked: 'standard',
  wantedSince: null,
  severity: null,
  before: null,
  ...differs,
});

test.each<{ words: string; node: Partial<NodeSeen>; plane: string; because: string }>([
  { words: 'at rest', node: {}, plane: 'standard', because: 'its agent started without eBPF' },
  {
    words: 'switched',
    node: { said: { kind: 'enabled' }, wanted: 'bpf', asked: 'bpf' },
    plane: 'bpf',
    because: 'its agent says that eBPF is on',
  },
  {
    words: 'fell back: the one that nobody else tells of',
    node: { said: { kind: 'refused' }, wanted: 'bpf', asked: 'bpf', kernel: '4.15.0-213-generic' },
    plane: 'fell-back',
    because: 'its agent says that kernel 4.15.0-213-generic cannot run eBPF',
  },
  {
    words: 'eBPF that is configured and was not read is not known',
    node: { said: { kind: 'not-read' }, wanted: 'bpf', asked: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log has not been read yet',
  },
  {
    words: 'eBPF that is configured and cannot be read is not known',
    node: { said: { kind: 'unreadable', because: 'forbidden' }, wanted: 'bpf', asked: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log cannot be read: forbidden',
  },
  {
    words: 'the standard data plane may rest on its configuration, and says so',
    node: { said: { kind: 'unreadable', because: 'forbidden' } },
    plane: 'standard',
    because: 'FelixConfiguration has eBPF off; its agent’s log cannot be read: forbidden',
  },
  {
    words: 'a rotated log says nothing by its silence',
    node: { said: silent({ reachesBack: false }), wanted: 'bpf', asked: 'bpf' },
    plane: 'unknown',
    because: 'its agent’s log no longer goes back to its start',
  },
  {
    words: 'nor does one that leaves Info out',
    node: { severity: 'Warning', wanted: 'bpf', asked: 'bpf' },
    plane: 'unknown',
    because: 'its agent logs at severity Warning, so its log cannot tell',
  },
  {
    words: 'an agent pod that is replaced in a switch moves',
    node: { pod: replaced, before: 'standard', asked: 'bpf' },
    plane: 'moving',
    because: 'its agent is being replaced',
  },
  {
    words: 'one that is replaced for another reason does not: its data plane stays',
    node: { pod: replaced, before: 'standard' },
    plane: 'standard',
    because: 'its agent is being replaced; it was seen on the standard data plane before',
  },
  {
    words: 'one that was never seen before is not known',
    node: { pod: replaced },
    plane: 'unknown',
    because: 'its agent is being replaced',
  },
  {
    words: 'the switch is written, its agent has not said anything',
    node: { wanted: 'bpf', asked: 'bpf', wantedSince: now - 3_000, before: 'standard' },
    plane: 'moving',
    because: 'its agent has not said yet whether eBPF is on',
  },
  {
    words: 'two minutes later that is a doubt',
    node: { wanted: 'bpf', asked: 'bpf', wantedSince: now - 121_000, before: 'standard' },
    plane: 'unknown',
    because: 'FelixConfiguration has eBPF on, and its agent has not said that it is',
  },
  {
    words: 'on the way back its agent has just started again',
    node: { wantedSince: now - 4_000, said: silent({ startedAt: now - 2_000 }), before: 'bpf' },
    plane: 'moving',
    because: 'its agent has just started again',
  },
  {
    words: 'and is quiet about eBPF: it is back',
    node: { wantedSince: now - 20_000, said: silent({ startedAt: now - 10_000 }), before: 'bpf' },
    plane: 'standard',
    because: 'its agent started without eBPF',
  },
  {
    words: 'eBPF against the configuration is told',
    node: { said: { kind: 'enabled' } },
    plane: 'bpf',
    because: 'its agent says that eBPF is on, and FelixConfiguration has it off',
  },
  {
    words: 'Windows is not counted',
    node: { apart: 'it runs Windows, which has a data plane of its own', pod: null },
    plane: 'not-counted',
    because: 'it runs Windows, which has a data plane of its own',
  },
  { words: 'no agent', node: { pod: null }, plane: 'unknown', because: 'its agent pod does not exist' },
])('$words: $plane', ({ node, plane, because }) => {
  expect(nodePlane(aNode(node), now)).toMatchObject({ plane, because });
});

test('whatever the rest says, eBPF is shown only where an agent said so, now or before', () => {
  const pods = [null, ready, replaced];
  const says: AgentSaid[] = [
    { kind: 'not-read' },
    { kind: 'unreadable', because: 'x' },
    { kind: 'refused' },
    silent(),
    silent({ reachesBack: false }),
  ];
  for (const pod of pods)
    for (const said of says)
      for (const wanted of ['bpf', 'standard', null] as const)
        for (const before of ['standard', null] as const)
          expect(nodePlane(aNode({ pod, said, wanted, asked: 'bpf', before }), now).plane).not.toBe('bpf');
});
