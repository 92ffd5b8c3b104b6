import { expect, test } from 'vitest';
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
