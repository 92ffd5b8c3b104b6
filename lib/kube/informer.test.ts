import { expect, test } from 'vitest';
import { resources } from '#lib/spec/index.ts';
import { systemClock } from './clock.ts';
import { KubeError } from './error.ts';
import { followKind, Informer, type KindSink } from './informer.ts';
import type { KubeObject } from './object.ts';
import type { Kube, WatchEvent } from './port.ts';
import { createStore } from './store/index.ts';

const node = (name: string, resourceVersion: number, uid = name): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid, resourceVersion: String(resourceVersion) },
});
const synced = (...objects: KubeObject[]): WatchEvent => ({ type: 'synced', objects, resourceVersion: '1' });
const notServed = new KubeError('not-served', 'no such kind');
const forbidden = new KubeError('forbidden', 'not for you');

/** A cluster whose watches bring these events, one watch after the other; an error ends one. */
function watching(...watches: (WatchEvent | KubeError)[][]): Kube {
  return {
    ...createStore({ name: 'here', source: 'sandbox' }),
    async *watch() {
      for (const event of watches.shift() ?? []) {
        if (event instanceof KubeError) throw event;
        yield event;
      }
    },
  };
}

const named = ({ metadata }: KubeObject) => metadata.name ?? '';
const version = (object: KubeObject | null) => object?.metadata.resourceVersion ?? null;

test.each<[string, WatchEvent[], [string | null, string | null][], string[]]>([
  ['what is listed is new', [synced(node('a', 1))], [['1', null]], ['a']],
  [
    'a change',
    [synced(node('a', 1)), { type: 'modified', object: node('a', 2) }],
    [
      ['1', null],
      ['2', '1'],
    ],
    ['a'],
  ],
  [
    'an older state is passed over',
    [synced(node('a', 3)), { type: 'modified', object: node('a', 2) }],
    [['3', null]],
    ['a'],
  ],
  [
    'what a new list lacks is gone',
    [synced(node('a', 1), node('b', 1)), synced(node('a', 1))],
    [
      ['1', null],
      ['1', null],
      [null, '1'],
    ],
    ['a'],
  ],
  [
    'another of the same name',
    [synced(node('a', 5)), synced(node('a', 2, 'other'))],
    [
      ['5', null],
      ['2', '5'],
    ],
    ['a'],
  ],
  [
    'a late event of the one before, of the same name',
    [
      synced(node('a', 11)),
      { type: 'modified', object: node('a', 9, 'other') },
      { type: 'deleted', object: node('a', 10, 'other') },
    ],
    [['11', null]],
    ['a'],
  ],
  [
    'a deletion',
    [synced(node('a', 1)), { type: 'deleted', object: node('a', 2) }],
    [
      ['1', null],
      [null, '1'],
    ],
    [],
  ],
])('%s', async (_name, events, changes, left) => {
  const informer = new Informer(named, {});
  const seen: [string | null, string | null][] = [];
  const changed = (after: KubeObject | null, before: KubeObject | null) =>
    void seen.push([version(after), version(before)]);
  await informer.follow(
    watching(events),
    { resource: resources.nodes },
    { changed, listed() {} },
    new AbortController().signal,
  );
  expect(seen).toEqual(changes);
  expect(informer.shapes()).toEqual(left);
});

test('its own write comes back by the watch and is no news', async () => {
  const informer = new Informer(named, {});
  expect(informer.observe(node('a', 2))).toBe(true);
  const changed = () => expect.unreachable();
  await informer.follow(
    watching([
      { type: 'added', object: node('a', 1) },
      { type: 'modified', object: node('a', 2) },
    ]),
    { resource: resources.nodes },
    { changed, listed() {} },
    new AbortController().signal,
  );
});

function sink(calls: string[]): KindSink {
  return {
    synced: (objects) => void calls.push(`synced ${objects.length}`),
    changed: () => void calls.push('changed'),
    deleted: () => void calls.push('deleted'),
    absent: ({ code }) => void calls.push(`absent: ${code}`),
    interrupted: ({ code }) => void calls.push(`interrupted: ${code}`),
  };
}

test('what was listed is held by nobody once it was told, however long nothing else happens', async () => {
  const event = synced(node('a', 1), node('b', 1));
  const calls: string[] = [];
  await followKind(watching([event]), { resource: resources.nodes }, sink(calls), new AbortController().signal, null);
  expect(calls).toEqual(['synced 2']);
  expect(event).toMatchObject({ objects: [] });
});

test('a kind that is not served is absent; a right that is missing is asked for again with a clock, and is the end without one', async () => {
  const events = (): (WatchEvent | KubeError)[][] => [
    [{ type: 'interrupted', because: notServed, retryInMs: 1 }, forbidden],
    [synced()],
  ];
  const { signal } = new AbortController();
  const calls: string[] = [];
  const pace = { ...systemClock, sleep: async () => {} };
  await followKind(watching(...events()), { resource: resources.nodes }, sink(calls), signal, pace);
  expect(calls).toEqual(['absent: not-served', 'absent: forbidden', 'synced 0']);
  await expect(followKind(watching(...events()), { resource: resources.nodes }, sink([]), signal, null)).rejects.toBe(
    forbidden,
  );
});

test('an object may be in several groups of an index, in none, and in those of another index', () => {
  const owned = (name: string, resourceVersion: number, ...owners: string[]): KubeObject => ({
    ...node(name, resourceVersion),
    metadata: {
      ...node(name, resourceVersion).metadata,
      ownerReferences: owners.map((uid) => ({ apiVersion: 'v1', kind: 'Node', name: uid, uid })),
    },
  });
  const informer = new Informer((object) => object, {
    owner: ({ metadata }) => (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    initial: ({ metadata }) => [metadata.name?.[0] ?? ''],
  });
  const owning = (uid: string) => informer.inGroup('owner', uid).map(({ object }) => named(object));
  for (const object of [owned('b2', 1, 'x', 'y'), owned('b1', 2, 'y'), owned('a', 3)]) informer.observe(object);
  expect([owning('x'), owning('y')]).toEqual([['b2'], ['b1', 'b2']]);
  expect(informer.inGroup('initial', 'b').map(({ object }) => named(object))).toEqual(['b1', 'b2']);
  informer.forget(owned('b2', 4));
  expect([owning('x'), owning('y')]).toEqual([[], ['b1']]);
});

test('objects are found by their group, whatever group they were in before', () => {
  const on = (name: string, resourceVersion: number, group: string): KubeObject => ({
    ...node(name, resourceVersion),
    metadata: { ...node(name, resourceVersion).metadata, labels: { group } },
  });
  const informer = new Informer((object) => object, { label: ({ metadata }) => [metadata.labels?.group ?? ''] });
  const inGroup = (group: string) => informer.inGroup('label', group).map(({ object }) => named(object));
  for (const object of [on('b', 1, 'x'), on('a', 2, 'x'), on('c', 3, 'y')]) informer.observe(object);
  expect([inGroup('x'), inGroup('y'), inGroup('z')]).toEqual([['a', 'b'], ['c'], []]);
  informer.observe(on('a', 4, 'y'));
  informer.forget(on('c', 5, 'y'));
  expect([inGroup('x'), inGroup('y')]).toEqual([['b'], ['a']]);
  expect(informer.all().map(({ object }) => named(object))).toEqual(['a', 'b']);
  informer.observe(on('c', 6, 'x'));
  expect(inGroup('x')).toEqual(['b', 'c']);
  expect(informer.all().map(({ object }) => named(object))).toEqual(['a', 'b', 'c']);
});
