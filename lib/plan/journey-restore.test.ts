import { expect, test } from 'vitest';
import { parsePlan } from './parse-plan.ts';
import type { Plan } from './plan.ts';
import { aPlan, type Difference, daemonSet, ids, object, outline } from './testing/a-cluster.ts';

const only = (plan: Plan, id: string) => plan.operations.find((operation) => operation.id === id);

const off = proxyOffBy({ 'non-calico': 'true' });
const goal = { goal: 'restore' } as const;

test('kube-proxy loses what keeps it off, whoever set it', () => {
  const plan = aPlan(off, goal);
  expect(outline(plan)).toEqual(['snapshot', 'proxy.restore', 'verify.pods']);
  const { act, undo } = only(plan, 'proxy.restore') ?? {};
  expect(act).toMatchObject({
    body: {
      spec: {
        template: { spec: { nodeSelector: { 'non-calico': null, 'operator.tigera.io/disable-kube-proxy': null } } },
      },
    },
  });
  expect(undo?.act).toMatchObject({
    steps: [{ done: { kind: 'bpf-active' } }, { act: { body: { spec: { template: { spec: {} } } } } }],
  });
});

test('where eBPF is on and agents fell back, its rules are protected first, and the operator keeps its hands off', () => {
  const felix = object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, {
    spec: { bpfEnabled: true },
  });
  const managed = object('operator.tigera.io/v1', 'Installation', 'default', undefined, {
    spec: { calicoNetwork: { linuxDataplane: 'BPF', kubeProxyManagement: 'Enabled' } },
  });
  const installation = { dataplane: { wanted: 'BPF', actual: 'BPF' } } as const;
  const objects = { ...off.objects, [ids.felix]: felix, [ids.installation]: managed };
  const plan = aPlan({ ...off, installation, objects }, goal);
  expect(only(plan, 'felix.cleanup-flag')?.status).toBe('needed');
  expect(outline(plan)).toEqual(['snapshot', 'felix.cleanup-flag', 'proxy.restore', 'verify.pods']);
  expect(only(plan, 'proxy.restore')?.act).toMatchObject({
    steps: [
      { act: { body: { spec: { calicoNetwork: { kubeProxyManagement: 'Disabled' } } } } },
      { act: { target: { name: 'kube-proxy' } }, done: { kind: 'proxy-back' } },
    ],
  });
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
});

test('where nothing turns kube-proxy off and its pods are not ready, they are waited for', () => {
  const there = proxyOffBy({});
  const status = (ready: number) =>
    only(aPlan({ ...there, proxy: { running: true, pods: { desired: 3, ready } } }, goal), 'proxy.restore')?.status;
  expect([status(0), status(3)]).toEqual(['needed', 'already-done']);
});

test('on OpenShift its network operator is asked', () => {
  const plan = aPlan({ platform: { kind: 'openshift' }, proxy: { kind: 'openshift', running: false } }, goal);
  expect(outline(plan)).toEqual(['snapshot', 'proxy.restore.openshift', 'verify.pods']);
  expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
});

function proxyOffBy(nodeSelector: Record<string, string>): Difference {
  const proxy = daemonSet('kube-proxy', 'kube-system', 0);
  return {
    proxy: { running: false, pods: { desired: 0, ready: 0 } },
    objects: {
      [ids.proxy]: { ...proxy, spec: { template: { spec: { nodeSelector, containers: [{ name: 'kube-proxy' }] } } } },
    },
  };
}
