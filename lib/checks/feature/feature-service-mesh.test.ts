import { expect, test } from 'vitest';
import { aFacts, uncover } from '../testing/a-facts.ts';
import { felix } from '../testing/calico-objects.ts';
import { find } from '../testing/find.ts';

const id = 'feature.service-mesh';
const istiod = { kind: 'Pod', namespace: 'istio-system', name: 'istiod-1', detail: 'part of Istio itself' };
const web = { kind: 'Namespace', namespace: null, name: 'web', detail: '12 pods are members of Istio' };

test.each([
  [{}, 'fail'],
  [{ bpfConnectTimeLoadBalancing: 'TCP' }, 'fail'],
  [{ bpfConnectTimeLoadBalancing: 'Enabled' }, 'fail'],
  [{ bpfConnectTimeLoadBalancing: 'Disabled' }, 'pass'],
  [{ bpfConnectTimeLoadBalancingEnabled: false }, 'pass'],
  [{ bpfConnectTimeLoadBalancing: 'TCP', bpfConnectTimeLoadBalancingEnabled: false }, 'fail'],
])('a mesh with %o: %s', (spec, expected) => {
  const facts = { features: { meshes: [istiod] }, resources: { objects: felix(spec) } };
  expect(find(id, facts).status).toBe(expected);
});

test('definitions of a mesh without a pod of it are not taken for its absence', () => {
  expect(find(id, { features: { definedMeshes: ['Istio'] } })).toMatchObject({
    status: 'unknown',
    because: 'The definitions of Istio are here, and no pod of a mesh was seen: not verified that none runs.',
  });
});

test('what runs and who is in it is named, and a plan fixes it', () => {
  expect(find(id, { features: { meshes: [istiod, web] } })).toMatchObject({
    severity: 'warning',
    because:
      'A service mesh runs here, and eBPF would choose pods in its place (bpfConnectTimeLoadBalancing is TCP, its default): Pod istio-system/istiod-1 and Namespace web.',
    subjects: [istiod, web],
    remedy: { autofix: 'felix.options' },
  });
});

test('without a mesh the setting does not matter; pods or a setting that were not read are unknown', () => {
  expect(find(id, uncover(aFacts(), 'felix')).status).toBe('pass');
  expect(find(id, uncover(aFacts(), 'meshes')).status).toBe('unknown');
  const off = aFacts({
    features: { meshes: [istiod] },
    resources: { objects: felix({ bpfConnectTimeLoadBalancing: 'Disabled' }) },
  });
  expect(find(id, uncover(off, 'felix')).status).toBe('unknown');
});
