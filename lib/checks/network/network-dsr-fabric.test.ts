import { expect, test } from 'vitest';
import type { TestOutcome } from '#lib/kube/index.ts';
import { type NodeTest, nodeTestIds } from '#lib/spec/index.ts';
import { aFacts, aNode, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'network.dsr-fabric';
const on = (...providerIDs: (string | null)[]) =>
  providerIDs.map((providerID, index) => aNode({ name: `worker-${index + 1}`, providerID }));

test('without DSR there is nothing to judge', () => {
  expect(find(id).status).toBe('skipped');
  expect(find(id, { resources: { objects: felix({ bpfExternalServiceMode: 'DSR' }) } }, { dsr: false }).status).toBe(
    'skipped',
  );
  expect(find(id, uncover(aFacts(), 'felix')).status).toBe('unknown');
});

test.each([
  [[null], {}, 'unknown'],
  [['vsphere://4237'], {}, 'unknown'],
  [['aws:///eu-central-1a/i-1'], {}, 'fail'],
  [['aws:///eu-central-1a/i-1'], { awsSrcDstCheck: 'Disable' }, 'unknown'],
  [['gce://p/z/n'], { awsSrcDstCheck: 'Disable' }, 'fail'],
  [['azure:///subscriptions/x'], {}, 'fail'],
  [['openstack:///1'], {}, 'fail'],
])('on %o with %o: %s', (providerIDs, spec, expected) => {
  const facts = { nodes: on(...providerIDs), resources: { objects: felix(spec) } };
  expect(find(id, facts, { dsr: true }).status).toBe(expected);
});

test('DSR that FelixConfiguration has already counts; the remedy is that of the cloud', () => {
  const objects = felix({ bpfExternalServiceMode: 'DSR' });
  const finding = find(id, { nodes: on('aws:///x/i-1', null), resources: { objects } });
  expect(finding.because).toBe(
    "DSR is chosen, and 1 of 2 nodes is on AWS, which drops packets that carry another machine's address as their source.",
  );
  expect(finding.remedy.steps.join(' ')).toContain('awsSrcDstCheck: Disable');
  expect(finding.remedy.steps.join(' ')).not.toContain('Azure');
  expect(find(id, { nodes: on('aws:///x/i-1') }, { dsr: true }).because).toContain('and the only node is on AWS');
});

test('elsewhere it waits for a measurement', () => {
  expect(find(id, { nodes: on(null) }, { dsr: true }).notMeasured).toContain('another node');
});

test.each<[TestOutcome, string | null, string]>([
  [{ kind: 'passed' }, null, 'pass'],
  [{ kind: 'passed' }, 'aws:///eu-central-1a/i-1', 'pass'],
  [{ kind: 'failed', because: 'what it sends with the address 10.0.0.3 does not arrive at worker-2' }, null, 'fail'],
  [{ kind: 'not-run', because: 'no router stands between it and another node that it tests with' }, null, 'unknown'],
  [{ kind: 'not-run', because: 'none was sent' }, 'aws:///eu-central-1a/i-1', 'fail'],
])('what was measured counts more than what a cloud is known for: %o on %s: %s', (outcome, providerID, expected) => {
  const passed = Object.fromEntries(nodeTestIds.map((test) => [test, { kind: 'passed' }]));
  const tests = { ...passed, 'foreign-source': outcome } as Record<NodeTest, TestOutcome>;
  const measured = { endpoint: null, nodes: [{ node: 'worker-1', ms: 1, tests }] };
  expect(find(id, { nodes: on(providerID), measured }, { dsr: true }).status).toBe(expected);
});
