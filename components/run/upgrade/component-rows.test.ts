import { expect, test } from 'vitest';
import { componentRows, legOf } from './component-rows.ts';

const releases = {
  from: 'v3.30.7',
  operatorBefore: 'v1.38.13',
  to: [
    { version: 'v3.30.9', seq: 3, operator: 'v1.38.14', gate: 'V1', because: 'first' },
    { version: 'v3.31.4', seq: 5, operator: 'v1.40.7', gate: null, because: null },
  ],
};
const workload = (version: string | null, updated = 3, ready = 3, name = 'calico-typha') => ({
  object: `calico-system/Deployment/${name}`,
  name,
  version,
  wanted: 3,
  updated,
  ready,
});

test.each([
  [workload('v3.30.7'), 'Ahead', 'v3.30.7', 'v3.31.4'],
  [workload('v3.31.4', 1), 'Moving', 'v3.30.7', 'v3.31.4'],
  [workload('v3.31.4', 3, 2), 'Moving', 'v3.30.7', 'v3.31.4'],
  [workload('v3.31.4'), 'Done', 'v3.30.7', 'v3.31.4'],
  // By way of another release.
  [workload('v3.30.9'), 'Moving', 'v3.30.7', 'v3.31.4'],
  // The image of a later upgrade, or one that the administrator has set.
  [workload('v3.32.0'), 'Another release', 'v3.30.7', 'v3.31.4'],
  [workload(null), 'Not known', 'v3.30.7', 'v3.31.4'],
  [workload('v1.38.13', 3, 3, 'tigera-operator'), 'Ahead', 'v1.38.13', 'v1.40.7'],
  [workload('v1.40.7', 3, 3, 'tigera-operator'), 'Done', 'v1.38.13', 'v1.40.7'],
])('%j is %s', (one, word, from, to) => {
  expect(componentRows([one], releases, 'forward')[0]).toMatchObject({ word, from, to });
});

test.each([
  [0, workload('v3.30.7'), 'Ahead', 'v3.30.7', 'v3.30.9'],
  [0, workload('v3.30.9'), 'Done', 'v3.30.7', 'v3.30.9'],
  [0, workload('v1.38.14', 3, 3, 'tigera-operator'), 'Done', 'v1.38.13', 'v1.38.14'],
  [1, workload('v3.30.9'), 'Ahead', 'v3.30.9', 'v3.31.4'],
  [1, workload('v3.30.7'), 'Moving', 'v3.30.9', 'v3.31.4'],
  [1, workload('v1.40.7', 3, 3, 'tigera-operator'), 'Done', 'v1.38.14', 'v1.40.7'],
])('by a hop, on leg %i, %j is %s', (leg, one, word, from, to) => {
  expect(componentRows([one], releases, 'forward', legOf(releases, leg))[0]).toMatchObject({ word, from, to });
});

test('on the way back the earlier release is where it goes', () => {
  expect(componentRows([workload('v3.30.7')], releases, 'undo')[0]).toMatchObject({
    word: 'Done',
    from: 'v3.31.4',
    to: 'v3.30.7',
  });
});
