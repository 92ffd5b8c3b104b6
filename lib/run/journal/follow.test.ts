import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStore, instantClock, type Kube, KubeError, type KubeObject, type WatchEvent } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { followRun } from './follow.ts';

const file = join(import.meta.dirname, '../testing/journals-of-earlier-versions/before-0.1.0.jsonl');
const running = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as KubeObject)
  .find((object) => JSON.stringify(object).includes('\\"state\\":{\\"kind\\":\\"running\\"'));

/** What a follower tells of a run whose watch brings these events. */
async function toldOf(events: readonly WatchEvent[]): Promise<string[]> {
  const store = createStore({ name: 'test', source: 'live', clock: instantClock() });
  const { metadata, ...rest } = running as KubeObject;
  const { resourceVersion: _, uid: __, ...own } = metadata;
  await store.create(resources.configMaps, { ...rest, metadata: own });
  const kube: Kube = {
    ...store,
    async *watch() {
      yield* events;
    },
  };
  const messages: string[] = [];
  for await (const event of followRun({
    kube,
    clock: instantClock(),
    journalNamespaces: [names.systemNamespace],
    run: metadata.labels?.[names.runLabel] ?? '',
    signal: new AbortController().signal,
  }))
    messages.push('message' in event.data ? String(event.data.message) : event.event);
  return messages;
}

const interrupted = (): WatchEvent => ({
  type: 'interrupted',
  because: new KubeError('unreachable', 'The connection broke.'),
  retryInMs: 1,
});
const bookmark: WatchEvent = { type: 'bookmark', resourceVersion: '1' };

test('a followed run reports once that the cluster does not answer, and once that it does again', async () => {
  expect(await toldOf([bookmark, interrupted(), interrupted(), interrupted(), bookmark, bookmark])).toEqual([
    'snapshot',
    'The connection broke. The run is shown again when the cluster answers.',
    'The cluster answers again.',
  ]);
});

test('a connection that breaks and returns at once is not reported', async () => {
  expect(await toldOf([bookmark, interrupted(), bookmark, interrupted(), bookmark])).toEqual(['snapshot']);
});
