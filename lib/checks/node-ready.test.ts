import { expect, test } from 'vitest';
import { aNode } from './testing/a-facts.ts';
import { find, subjectLines } from './testing/find.ts';

test.each([
  ['ready', aNode(), []],
  ['NotReady', aNode({ ready: false }), ['Node worker-1: NotReady']],
  ['cordoned alone, where agents still land', aNode({ unschedulable: true }), []],
  [
    'cordoned with pressure',
    aNode({ unschedulable: true, pressures: ['DiskPressure', 'MemoryPressure'] }),
    ['Node worker-1: cordoned, with DiskPressure and MemoryPressure'],
  ],
  [
    'a taint that the agent does not tolerate',
    aNode({ agentCannotLand: 'it does not tolerate the taint gpu=true:NoSchedule' }),
    ['Node worker-1: the agent cannot land there: it does not tolerate the taint gpu=true:NoSchedule'],
  ],
  ['virtual', aNode({ ready: false, virtual: true }), []],
  ['Windows', aNode({ os: 'windows', agentCannotLand: 'its nodeSelector asks for kubernetes.io/os=linux' }), []],
])('%s', (_name, node, expected) => {
  const finding = find('node.ready', { nodes: [node] });
  expect(finding.status).toBe(expected.length > 0 ? 'fail' : 'pass');
  expect(subjectLines(finding)).toEqual(expected);
});

test('many are counted, a few named, all listed', () => {
  const nodes = Array.from({ length: 5_000 }, (_, index) => aNode({ name: `n-${index}`, ready: false }));
  const finding = find('node.ready', { nodes });
  expect(finding.because).toBe(
    '5,000 of 5,000 nodes hold the rollout up: n-0 (NotReady), n-1 (NotReady), n-2 (NotReady) and 4,997 more.',
  );
  expect(finding.subjects).toHaveLength(5_000);
});
