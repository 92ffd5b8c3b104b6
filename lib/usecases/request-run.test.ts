import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject } from '#lib/kube/index.ts';
import { type Journal, journalOf, type RunState } from '#lib/run/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { askHolder, type CarriedBy, meetRequest, type RequestMet, type RunAction } from './request-run.ts';

const forward: RunState = { kind: 'running', direction: 'forward' };
const back: RunState = { kind: 'running', direction: 'undo' };
const paused: RunState = {
  kind: 'paused',
  direction: 'forward',
  seq: 1,
  id: 'a',
  code: 'asked',
  because: '',
  meaning: '',
  subjects: [],
  choices: [],
};
const done: RunState = { kind: 'done' };
const undone: RunState = { kind: 'undone' };
const states = { forward, back, paused, done, undone };
const us: CarriedBy = 'this-process';
const other: CarriedBy = { holder: 'other/1' };
const nobody: CarriedBy = 'nobody';

const outcomeOf = (met: RequestMet) =>
  'refused' in met
    ? `refused: ${met.refused.kind}`
    : met.by === 'taking-up'
      ? `taking up: ${met.how}`
      : `${met.by}: ${met.action}`;

describe('what is asked of a run is done by whoever carries it, else by whoever asks', () => {
  test.each<[RunAction, keyof typeof states, CarriedBy, string]>([
    ['pause', 'forward', us, 'own-run: pause'],
    ['pause', 'forward', other, 'holder: pause'],
    ['pause', 'forward', nobody, 'refused: not-carried'],
    ['pause', 'back', other, 'holder: pause'],
    ['pause', 'paused', nobody, 'refused: paused'],
    ['pause', 'done', nobody, 'refused: ended'],
    ['resume', 'forward', us, 'refused: going-on'],
    ['resume', 'forward', other, 'refused: held'],
    ['take-over', 'forward', other, 'refused: held'],
    ['take-over', 'forward', nobody, 'taking up: resume'],
    ['resume', 'paused', nobody, 'taking up: resume'],
    ['resume', 'undone', nobody, 'refused: ended'],
    ['stop', 'forward', us, 'own-run: stop'],
    ['stop', 'back', other, 'holder: stop'],
    ['stop', 'paused', nobody, 'taking up: stop'],
    ['stop', 'done', nobody, 'refused: ended'],
    ['undo', 'forward', other, 'holder: undo'],
    ['undo', 'back', us, 'refused: undoing'],
    ['undo', 'back', other, 'refused: undoing'],
    ['undo', 'back', nobody, 'taking up: undo'],
    ['undo', 'paused', nobody, 'taking up: undo'],
    ['undo', 'done', nobody, 'taking up: undo'],
    ['undo', 'undone', nobody, 'refused: undone'],
  ])('%s, %s, carried by %j → %s', (action, state, carriedBy, expected) => {
    expect(outcomeOf(meetRequest(action, { run: 'r', state: states[state], carriedBy }))).toBe(expected);
  });
});

const journals = new URL('../run/testing/journals-of-earlier-versions/after-0.1.0.jsonl', import.meta.url);

/** A run whose holder answers each request in its journal with this; null: it never answers. */
async function aHolderThatAnswers(answer: string | null) {
  const clock = instantClock();
  const store = createStore({ name: 'test', source: 'sandbox', clock });
  const [line = ''] = readFileSync(journals, 'utf8').split('\n');
  const { metadata, ...rest } = JSON.parse(line) as KubeObject;
  const { resourceVersion: _, uid: __, ...ownMetadata } = metadata;
  const namespace = metadata.namespace ?? '';
  await store.create(resources.namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const ended = journalOf({ ...rest, metadata });
  if (!ended) throw new Error('the fixture is no journal');
  const journal: Journal = { ...ended, state: { kind: 'running', direction: 'forward' } };
  const data = { ...Object(rest.data), 'journal.json': JSON.stringify(journal) };
  await store.create(resources.configMaps, { ...rest, data, metadata: ownMetadata });
  const kube: typeof store = {
    ...store,
    patch: async (ref, patch, options) => {
      const patched = await store.patch(ref, patch, options);
      const request = JSON.parse(patched.metadata.annotations?.[names.requestAnnotation] ?? 'null');
      if (answer === null || request === null) return patched;
      const at = new Date(clock.now()).toISOString();
      const entries: Journal['entries'] = [
        ...journal.entries,
        { what: 'request', at, request: `${request.action} by ${request.by}`, answer },
      ];
      return store.patch(ref, {
        type: 'merge',
        body: { data: { 'journal.json': JSON.stringify({ ...journal, entries }) } },
      });
    },
  };
  const identity = { install: 'here', process: '1' };
  const { signal } = new AbortController();
  const ask = () =>
    askHolder({ kube, clock, journalNamespaces: [namespace], identity, signal }, journal.run, {
      action: 'pause',
      holder: 'other/1',
    });
  const end = () =>
    store.patch(
      { resource: resources.configMaps, namespace, name: metadata.name ?? '' },
      { type: 'merge', body: { data: { 'journal.json': JSON.stringify(ended) } } },
    );
  return { ask, end, run: journal.run };
}

describe('the holder of the Lease', () => {
  test('does what it was asked where it says so', async () => {
    const { ask } = await aHolderThatAnswers('taken');
    expect(await ask()).toBe(null);
  });

  test('does not where its answer is a reason: nobody is told that the run pauses', async () => {
    const { ask, run } = await aHolderThatAnswers('the run has ended');
    expect(await ask()).toEqual({ kind: 'not-taken', run, because: 'the run has ended' });
  });

  test('that ended the run meanwhile answers nothing: nobody waits for it', async () => {
    const { ask, end } = await aHolderThatAnswers(null);
    await end();
    expect(await ask()).toEqual({ kind: 'ended', state: 'done' });
  });

  test('that does not answer is named', async () => {
    const { ask, run } = await aHolderThatAnswers(null);
    expect(await ask()).toEqual({ kind: 'no-answer', run, holder: 'other/1', action: 'pause' });
  });
});
