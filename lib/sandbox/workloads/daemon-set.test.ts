import { expect, test } from 'vitest';
import { aNode } from '../builders.ts';
import { decideDaemonSet, revisionLabel } from './daemon-set.ts';
import { daemonSetShape, nodeShape, podShape } from './shapes.ts';
import { templateHash } from './template-hash.ts';

const template = (image: string, nodeSelector = {}) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { nodeSelector, containers: [{ name: 'agent', image }] },
});
const aDaemonSet = (spec = template('agent:2')) =>
  daemonSetShape.parse({
    metadata: { name: 'agent', namespace: 'kube-system', uid: 'd', generation: 2, creationTimestamp: '' },
    spec: { selector: { matchLabels: { app: 'agent' } }, template: spec },
  });
const revisions = {
  new: templateHash(aDaemonSet().spec.template),
  old: 'old',
};
const nodes = (count: number) =>
  Array.from({ length: count }, (_, index) => nodeShape.parse(aNode({ name: `node-${index + 1}` })));

/**
 * Pods by words: `new+` is a ready pod of the new revision, `old-` one of the old revision that is not ready, `~` one that is being deleted, `.`
 * none.
 */
const podsOf = (words: string) =>
  words.split(' ').flatMap((word, index) => {
    if (word === '.') return [];
    const revision = word.startsWith('new') ? revisions.new : revisions.old;
    return [
      podShape.parse({
        metadata: {
          name: `agent-${index + 1}`,
          uid: `p${index}`,
          creationTimestamp: '2026-01-01T00:00:00Z',
          labels: { [revisionLabel]: revision },
          ...(word.includes('~') ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
        },
        spec: { nodeName: `node-${index + 1}`, containers: [] },
        status: { conditions: [{ type: 'Ready', status: word.endsWith('+') ? 'True' : 'False' }] },
      }),
    ];
  });

test.each([
  ['all old: one goes', 'old+ old+ old+', 'remove agent-1'],
  ['the new one is not ready yet: nothing goes', 'new- old+ old+', ''],
  ['the new one is ready: the next goes', 'new+ old+ old+', 'remove agent-2'],
  ['a node without a pod gets one before anything goes', '. old+ old+', 'create node-1'],
  ['one that is being deleted counts as unavailable', 'old~ old+ old+', ''],
  [
    'old ones that are not available go at once, whatever the limit',
    'old- old- old+',
    'remove agent-1, agent-2, agent-3',
  ],
  ['a stuck new one leaves only unavailable old ones to replace', 'new- old- old+', 'remove agent-2'],
  ['all new: done', 'new+ new+ new+', ''],
])('%s', (_, words, expected) => {
  const { create, remove } = decideDaemonSet(aDaemonSet(), nodes(3), podsOf(words));
  const removed = remove.map((pod) => pod.metadata.name).sort();
  const changes = [
    create.length > 0 ? `create ${create.join(', ')}` : '',
    removed.length > 0 ? `remove ${removed.join(', ')}` : '',
  ];
  expect(changes.filter(Boolean).join('; ')).toBe(expected);
});

test('counters are those of before the act, and zeros that the real one leaves out are left out', () => {
  expect(decideDaemonSet(aDaemonSet(), nodes(4), podsOf('old+ old+ old+ old+')).status).toEqual({
    currentNumberScheduled: 4,
    desiredNumberScheduled: 4,
    numberAvailable: 4,
    numberMisscheduled: 0,
    numberReady: 4,
    numberUnavailable: null,
    observedGeneration: 2,
    updatedNumberScheduled: null,
  });
});

test('a selector that no node has: nothing is desired, what still runs is misscheduled and goes', () => {
  const nowhere = aDaemonSet(template('agent:2', { 'non-calico': 'true' }));
  const { status, remove } = decideDaemonSet(nowhere, nodes(3), podsOf('old+ old+ old+'));
  expect(status).toMatchObject({ desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 3 });
  expect(remove).toHaveLength(3);
});

test('equal templates have equal revisions, whatever the order of their members', () => {
  expect(templateHash({ a: 1, b: { c: 2, d: [3] } })).toBe(templateHash({ b: { d: [3], c: 2 }, a: 1 }));
  expect(templateHash({ a: 1 })).not.toBe(templateHash({ a: 2 }));
});
