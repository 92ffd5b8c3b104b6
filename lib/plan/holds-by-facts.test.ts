import { expect, test } from 'vitest';
import { names } from '#lib/spec/index.ts';
import { holdsByFacts } from './holds-by-facts.ts';
import { kubeProxy } from './objects/object-refs.ts';
import type { Condition } from './schema/condition.ts';
import { aCluster, carriers, type Difference, ids, object } from './testing/a-cluster.ts';

function holds(condition: Condition, difference: Difference) {
  const facts = aCluster(difference);
  return holdsByFacts(condition, { facts, before: facts.resources.objects });
}

const controllers = {
  object: 'calico-system/Deployment/calico-kube-controllers',
  container: names.kubeControllersDeployment,
  host: null,
  port: null,
};

test.each([
  ['another port', carriers('10.0.0.100', '443'), '10.0.0.100', 'no'],
  ['the same IPv6 address in another notation', carriers('FD00:0:0::1', '6443'), 'fd00::1', 'yes'],
  ['on MKE, none on the pod network', [...carriers('proxy.local', '6443'), controllers], 'proxy.local', 'yes'],
  ['elsewhere, none', [...carriers('10.0.0.100', '6443'), controllers], '10.0.0.100', 'no'],
])('workloads carry an address as a run sees it: %s', (_title, inUse, host, expected) => {
  expect(holds({ kind: 'endpoint-active', endpoint: { host, port: '6443' } }, { endpoint: { inUse } })).toBe(expected);
});

test.each([
  ['its controller has seen the latest change', 1, 'yes'],
  ['its controller has not: it may want pods again', 2, 'no'],
])('a DaemonSet without pods: %s', (_title, generation, expected) => {
  const status = { observedGeneration: 1, desiredNumberScheduled: 0, currentNumberScheduled: 0, numberMisscheduled: 0 };
  const proxy = object('apps/v1', 'DaemonSet', 'kube-proxy', 'kube-system', { status }, { generation });
  expect(holds({ kind: 'no-pods', target: kubeProxy }, { objects: { [ids.proxy]: proxy } })).toBe(expected);
});
