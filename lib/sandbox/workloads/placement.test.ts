import { expect, test } from 'vitest';
import { aNode } from '../builders.ts';
import { daemonPlacement, mayBeScheduled } from './placement.ts';
import { nodeShape, podShape } from './shapes.ts';

const specOf = (spec: object) =>
  podShape.parse({ metadata: { name: 'p', uid: 'p', creationTimestamp: '' }, spec: { containers: [], ...spec } }).spec;
const nodeWith = (taints: object[], spec: object = {}) =>
  nodeShape.parse({ ...aNode({ name: 'node-1' }), spec: { taints, ...spec } });

test.each([
  ['a plain node', [], {}, 'run', true],
  ['a taint that is not tolerated', [{ key: 'gpu', effect: 'NoSchedule' }], {}, 'keep', false],
  ['a taint that evicts', [{ key: 'gpu', effect: 'NoExecute' }], {}, 'none', false],
  ['a tolerated taint', [{ key: 'gpu', effect: 'NoExecute' }], { tolerations: [{ operator: 'Exists' }] }, 'run', true],
  [
    'a node that is not ready keeps its daemons',
    [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }],
    {},
    'run',
    true,
  ],
  ['a selector that no node has', [], { nodeSelector: { 'non-calico': 'true' } }, 'none', false],
])('%s', (_, taints, spec, daemon, scheduled) => {
  expect(daemonPlacement(specOf(spec), nodeWith(taints))).toBe(daemon);
  expect(mayBeScheduled(specOf(spec), nodeWith(taints))).toBe(scheduled);
});

test.each([
  ['an ordinary pod', {}, false],
  [
    'one that tolerates the control plane alone',
    { tolerations: [{ key: 'node-role.kubernetes.io/control-plane' }] },
    false,
  ],
  ['one that tolerates everything', { tolerations: [{ operator: 'Exists' }] }, true],
  ['one that tolerates every NoSchedule', { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] }, true],
  ['one that tolerates every NoExecute', { tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] }, false],
  ['one that says so', { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists' }] }, true],
])('on a node without a network: %s', (_, spec, scheduled) => {
  const node = nodeShape.parse(aNode({ name: 'node-1', readiness: 'no-network' }));
  expect(mayBeScheduled(specOf(spec), node)).toBe(scheduled);
  expect(daemonPlacement(specOf(spec), node)).toBe('run');
});

test('a node whose kubelet stopped takes nothing new', () => {
  const lost = nodeShape.parse(aNode({ name: 'node-1', readiness: 'lost' }));
  expect(mayBeScheduled(specOf({ tolerations: [{ operator: 'Exists' }] }), lost)).toBe(false);
});

test('a cordoned node takes daemons and nothing else', () => {
  const cordoned = nodeWith([], { unschedulable: true });
  expect(daemonPlacement(specOf({}), cordoned)).toBe('run');
  expect(mayBeScheduled(specOf({}), cordoned)).toBe(false);
});
