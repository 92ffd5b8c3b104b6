import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const deviating = {
  kind: 'Node',
  namespace: null,
  name: 'worker-2',
  detail: 'FelixConfiguration node.worker-2 has bpfEnabled: true',
};

test.each([
  ['no node has its own', aFacts(), 'pass'],
  ['a node has its own', aFacts({ installation: { deviatingNodes: [deviating] } }), 'fail'],
  ['nodes are known to have fallen back', aFacts({ installation: { dataplane: { actual: 'mixed' } } }), 'fail'],
  ['FelixConfiguration cannot be read', uncover(aFacts(), 'felix'), 'unknown'],
  [
    'nor does it matter, as the environment of every agent decides',
    uncover(aFacts({ installation: { dataplane: { byEnvironment: false } } }), 'felix', 'dataplane'),
    'pass',
  ],
] as const)('%s: %s', (_name, facts, expected) => {
  expect(find('node.mixed-dataplane', facts).status).toBe(expected);
});

test('it holds for upgrades too, and not for undo', () => {
  expect(find('node.mixed-dataplane', {}, { goal: 'upgrade' }).status).toBe('pass');
  expect(() => find('node.mixed-dataplane', {}, { goal: 'undo' })).toThrow();
});
