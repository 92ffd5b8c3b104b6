import { expect, test } from 'vitest';
import { createStore, KubeError } from '#lib/kube/index.ts';
import { felixLines, resources } from '#lib/spec/index.ts';
import { readAgent, toProve, toShow } from './read-agent.ts';

const start = Date.parse('2026-01-01T10:00:00Z');
const minute = 60_000;
const agent = {
  uid: 'u',
  name: 'a',
  namespace: 'calico-system',
  ready: true,
  words: 'is ready',
  createdAt: start,
  startedAt: start,
};

const line = (atMs: number, text: string) =>
  `${new Date(atMs).toISOString().replace('T', ' ').slice(0, 23)} [INFO][7] x.go 1: ${text}`;
const starts = (atMs: number) => line(atMs, 'Felix starting up');

/** Lines as an API server gives them out: since `sinceTime`, from the oldest on. */
async function reading(lines: readonly string[] | Error, changedAt: number | null, depth = toProve) {
  const kube = createStore({
    name: 'lab',
    source: 'live',
    objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'calico-system' } }],
    kinds: [resources.pods],
    pods: {
      logs: async (_, { sinceTime, limitBytes }) => {
        if (lines instanceof Error) throw lines;
        const since = Date.parse(sinceTime ?? '1970-01-01T00:00:00Z');
        const kept = lines.filter((one) => Date.parse(`${one.slice(0, 23).replace(' ', 'T')}Z`) >= since);
        return kept.join('\n').slice(0, limitBytes);
      },
    },
  });
  return readAgent(kube, agent, changedAt, depth, new AbortController().signal);
}

test.each([
  [
    'its word since it started',
    [starts(start), line(start + 500, felixLines.bpfEnabled)],
    null,
    { kind: 'enabled', sinceChange: true },
  ],
  [
    'a refusal',
    [starts(start), line(start + 500, felixLines.bpfRefused)],
    null,
    { kind: 'refused', sinceChange: true },
  ],
  ['nothing since it started', [starts(start), line(start + 500, 'x')], null, { kind: 'silent', reachesBack: 'start' }],
  ['a log that was rotated', [line(start + 5 * minute, 'x')], null, { kind: 'silent', reachesBack: 'neither' }],
  [
    'its word from before the change, while it has not started again',
    [starts(start), line(start + 500, felixLines.bpfEnabled)],
    start + 5 * minute,
    { kind: 'enabled', sinceChange: false },
  ],
  [
    'a start since the change, without a word yet',
    [starts(start), line(start + 500, felixLines.bpfEnabled), starts(start + 6 * minute)],
    start + 5 * minute,
    { kind: 'silent', reachesBack: 'start', startedAt: start + 6 * minute },
  ],
  [
    'its word since the change',
    [starts(start), starts(start + 6 * minute), line(start + 7 * minute, felixLines.bpfEnabled)],
    start + 5 * minute,
    { kind: 'enabled', sinceChange: true, startedAt: start + 6 * minute },
  ],
  [
    'a log that goes back to the change and no further',
    [line(start + 4 * minute, 'x'), line(start + 6 * minute, 'x')],
    start + 5 * minute,
    { kind: 'silent', reachesBack: 'change' },
  ],
  [
    'a log that begins after the change',
    [line(start + 9 * minute, 'x')],
    start + 5 * minute,
    { kind: 'silent', reachesBack: 'neither' },
  ],
  [
    'a change before it was made',
    [starts(start), line(start + 500, felixLines.bpfEnabled)],
    start - minute,
    { kind: 'enabled', sinceChange: true },
  ],
])('%s', async (_, lines, changedAt, expected) => {
  for (const depth of [toProve, toShow]) expect(await reading(lines, changedAt, depth)).toMatchObject(expected);
});

test('what is wrong with the pod is told, what is wrong with the API server is not taken for it', async () => {
  expect(await reading(new KubeError('forbidden', 'no rights'), null)).toEqual({
    kind: 'unreadable',
    because: 'no rights',
  });
  await expect(reading(new KubeError('unreachable', 'gone'), null)).rejects.toThrow('gone');
});
