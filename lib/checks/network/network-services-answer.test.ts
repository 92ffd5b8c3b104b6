import { expect, test } from 'vitest';
import type { TestOutcome } from '#lib/kube/index.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode } from '../testing/a-facts.ts';
import { find } from '../testing/find.ts';

const passed: TestOutcome = { kind: 'passed' };
const failed: TestOutcome = {
  kind: 'failed',
  because: 'cluster DNS over UDP, 10.96.0.10:53: no answer within 2 seconds',
};
const notRun: TestOutcome = { kind: 'not-run', because: 'no pod reported' };

function facts(host: TestOutcome | null, pod: TestOutcome) {
  const nodes = ['worker-1', 'worker-2'].map((name) => aNode({ name }));
  const all = Object.fromEntries(nodeTestIds.map((id) => [id, passed])) as Record<NodeTest, TestOutcome>;
  const tests = { ...all, 'services-from-pod': pod, ...(host === null ? {} : { 'services-from-host': host }) };
  if (host === null) Reflect.deleteProperty(tests, 'services-from-host');
  const measured = nodes.map(({ name }, index) => ({ node: name, ms: 1, tests: index === 0 ? all : tests }));
  return aFacts({ nodes, measured: { endpoint: null, nodes: measured } });
}

test.each<[string, TestOutcome | null, TestOutcome, string]>([
  ['all answer', passed, passed, 'pass'],
  ['there is no network for pods', passed, notRun, 'pass'],
  ['one does not on a host', failed, failed, 'fail'],
  ['one does not in pods alone', passed, failed, 'unknown'],
  ['a node was not tested', notRun, notRun, 'unknown'],
  ['a node was not tested by the host, and its pods are cut off', notRun, failed, 'unknown'],
  ['a node joined after the test', null, passed, 'unknown'],
])('%s', (_what, host, pod, status) => {
  expect(find('network.services-answer', facts(host, pod)).status).toBe(status);
});

test('it names the node and what does not answer there', () => {
  expect(find('network.services-answer', facts(failed, passed)).because).toContain('worker-2 (cluster DNS over UDP');
  expect(find('network.services-answer', facts(passed, failed)).because).toContain('worker-2 (cluster DNS over UDP');
});

test('one that was not tested is named, and hides nothing of the others', () => {
  expect(find('network.services-answer', facts(notRun, passed))).toMatchObject({
    because:
      'Not tested: the API and cluster DNS may not answer at their ClusterIP everywhere. Not tested on 1 node: worker-2.',
    notMeasured: expect.any(String),
  });
  const sentence = find('network.services-answer', facts(notRun, failed)).because;
  expect(sentence).toContain('worker-2 (cluster DNS over UDP');
  expect(sentence).toMatch(/Not tested on 1 node: worker-2\.$/);
});

test.each<[TestOutcome, RegExp]>([
  [failed, /^Pods on these nodes cannot/],
  [passed, /host's network .* other pods there can\./],
  [notRun, /Whether other pods there can was not tested\./],
])('what follows where hosts get no answer is told by what pods there got: %j', (pod, consequence) => {
  expect(find('network.services-answer', facts(failed, pod)).consequence).toMatch(consequence);
});

test('pods that are cut off alone do not pause a run, which watches from hosts', () => {
  expect(find('network.services-answer', facts(passed, failed)).consequence).not.toContain('pauses');
});

test('nobody tested, or an earlier version did', () => {
  expect(find('network.services-answer', aFacts()).status).toBe('skipped');
  const { measured, ...rest } = facts(null, passed);
  const nodes = measured?.nodes.slice(1) ?? [];
  expect(find('network.services-answer', { ...rest, measured: { endpoint: null, nodes } }).status).toBe('skipped');
});
