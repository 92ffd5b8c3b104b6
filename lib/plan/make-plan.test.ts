import { expect, test } from 'vitest';
import { mergePatch } from '#lib/base/records.ts';
import { objectId } from '#lib/spec/index.ts';
import { holdsByFacts } from './holds-by-facts.ts';
import { makePlan } from './make-plan.ts';
import { afterAct } from './objects/objects.ts';
import type { Plan } from './plan.ts';
import { PlanError } from './plan-error.ts';
import type { Act } from './schema/act.ts';
import type { PlannedOperation } from './schema/planned-operation.ts';
import {
  aCluster,
  aNode,
  aPlan,
  carriers,
  choose,
  daemonSet,
  endpointObject,
  ids,
  object,
  objects,
  outline,
  proxyConfig,
  someFindings,
} from './testing/a-cluster.ts';

const core = [
  'snapshot',
  'endpoint.configmap',
  'endpoint.active',
  'endpoint.restart-operator',
  'felix.cleanup-flag',
  'switch.bpf',
  'bpf.active',
  'endpoint.active',
  'proxy.disable.daemonset',
  'felix.cleanup-restore',
  'verify.pods',
  'verify.version',
  'verify.services',
];

function only(plan: Plan, id: string): PlannedOperation {
  const found = plan.operations.filter((operation) => operation.id === id);
  if (found.length !== 1 || !found[0])
    throw new Error(`${id} occurs ${found.length} times in ${outline(plan).join(' ')}`);
  return found[0];
}

function lastPart({ act }: PlannedOperation): Act | undefined {
  return act.kind === 'sequence' ? act.steps.at(-1)?.act : undefined;
}

const felixWith = (spec: object, annotation: string | null) =>
  object(
    'crd.projectcalico.org/v1',
    'FelixConfiguration',
    'default',
    undefined,
    { spec },
    {
      ...(annotation === null ? {} : { annotations: { 'operator.tigera.io/bpfEnabled': annotation } }),
    },
  );

const installationWith = (calicoNetwork: object) =>
  object('operator.tigera.io/v1', 'Installation', 'default', undefined, { spec: { calicoNetwork } });

/** eBPF on, proxy off, endpoint set: the state after a finished run or a documented installation. */
const onBpf = {
  installation: { dataplane: { wanted: 'BPF', actual: 'BPF' } },
  proxy: { running: false, pods: { desired: 0, ready: 0 } },
  endpoint: {
    configMap: { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' },
    inUse: carriers('10.0.0.100', '6443'),
  },
  objects: {
    [ids.installation]: installationWith({ linuxDataplane: 'BPF', hostPorts: 'Enabled' }),
    [ids.felix]: felixWith({ bpfEnabled: true }, 'true'),
    [ids.endpoint]: endpointObject('10.0.0.100', '6443'),
    [ids.proxy]: daemonSet('kube-proxy', 'kube-system', 0),
  },
} as const;

test('a healthy kubeadm cluster gets the journey of operations.md, in its order', () => {
  const plan = aPlan();
  expect(outline(plan)).toEqual(core);
  expect(plan.operations.map(({ seq }) => seq)).toEqual(core.map((_, index) => index + 1));
  expect(plan.clusterUid).toBe('cluster-uid');
});

test('options, fixes and forgetting kubeadm’s proxy take their places in the order', () => {
  const plan = aPlan(
    { objects: { [ids.felix]: felixWith({ bpfEnabled: false }, 'true') } },
    {
      dsr: true,
      set: { registry: 'mirror.example/' },
      forgetKubeadmProxy: true,
      fix: ['operator.dns-deadlock', 'install.felix-annotation', 'feature.node-local-dns'],
    },
  );
  expect(outline(plan)).toEqual([
    'snapshot',
    'operator.dns',
    'endpoint.configmap',
    'endpoint.active',
    'endpoint.restart-operator',
    'felix.cleanup-flag',
    'felix.annotation',
    'felix.options',
    'installation.options',
    'service.nat-exclude',
    'switch.bpf',
    'bpf.active',
    'endpoint.active',
    'proxy.disable.daemonset',
    'felix.cleanup-restore',
    'proxy.forget-kubeadm',
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
});

test.each([
  ['false, mark true', { bpfEnabled: false }, 'true', 'false', 'before'],
  ['false, no mark', { bpfEnabled: false }, null, 'false', 'before'],
  ['absent, mark true', {}, 'true', null, 'before'],
  ['true, mark false', { bpfEnabled: true }, 'false', 'true', 'after'],
  ['true, no mark', { bpfEnabled: true }, null, 'true', 'after'],
])('bpfEnabled %s: the mark is fixed on the right side of the switch', (_title, spec, annotation, wanted, side) => {
  const plan = aPlan({ objects: { [ids.felix]: felixWith(spec, annotation) } }, { fix: ['install.felix-annotation'] });
  const fix = only(plan, 'felix.annotation');
  expect(fix.seq < only(plan, 'switch.bpf').seq ? 'before' : 'after').toBe(side);
  expect(fix.act).toMatchObject({
    kind: 'merge-patch',
    body: { metadata: { annotations: { 'operator.tigera.io/bpfEnabled': wanted } } },
  });
});

test('a mark that fits is left alone, and one that does not fit too unless its fix was chosen', () => {
  expect(outline(aPlan({}, { fix: ['install.felix-annotation'] }))).not.toContain('felix.annotation');
  expect(outline(aPlan({ objects: { [ids.felix]: felixWith({ bpfEnabled: true }, null) } }))).not.toContain(
    'felix.annotation',
  );
});

test('a proxy in IPVS mode gets a plan of its own once its fix was chosen, and nothing else changes with it', () => {
  const ipvs = {
    proxy: { mode: 'ipvs' },
    objects: {
      [ids.proxyConfig]: object('v1', 'ConfigMap', 'kube-proxy', 'kube-system', {
        data: { 'config.conf': proxyConfig('"ipvs"') },
      }),
    },
  } as const;
  expect(outline(aPlan(ipvs))).toEqual(core);
  const plan = aPlan(ipvs, { fix: ['proxy.not-ipvs'] });
  expect(outline(plan)).toEqual(['snapshot', 'proxy.ipvs-to-iptables', 'verify.pods']);
  const act = only(plan, 'proxy.ipvs-to-iptables').act;
  expect(act.kind === 'sequence' && act.steps[0]?.act).toMatchObject({
    body: { data: { 'config.conf': proxyConfig('iptables') } },
  });
  expect(outline(aPlan({}, { fix: ['proxy.not-ipvs'] }))).toEqual(core);
});

test.each([undefined, 'iptables'])(
  'leaving IPVS restarts kube-proxy although its rollout is complete (mark before: %s)',
  (mark) => {
    const proxy = daemonSet('kube-proxy', 'kube-system', 3);
    const facts = aCluster({
      proxy: { mode: 'ipvs' },
      objects: {
        [ids.proxy]: mergePatch(proxy, {
          spec: { template: { metadata: { annotations: { 'signalbox.dev/proxy-mode': mark ?? null } } } },
        }) as typeof proxy,
        [ids.proxyConfig]: object('v1', 'ConfigMap', 'kube-proxy', 'kube-system', {
          data: { 'config.conf': proxyConfig('ipvs') },
        }),
      },
    });
    const choices = choose({ fix: ['proxy.not-ipvs'] });
    const { act, undo } = only(
      makePlan({ facts, choices, findings: someFindings(), now: 'now' }),
      'proxy.ipvs-to-iptables',
    );
    let before = facts.resources.objects;
    for (const way of [act, undo?.act]) {
      const parts = way?.kind === 'sequence' ? way.steps : [];
      expect(parts.length).toBeGreaterThanOrEqual(2);
      for (const part of parts) {
        expect(holdsByFacts(part.done, { facts, before })).toBe('no');
        before = afterAct(before, part.act);
        expect(holdsByFacts(part.done, { facts, before })).toBe('yes');
      }
    }
  },
);

test('a kept proxy stays, and so does the protection of its rules', () => {
  const plan = aPlan({}, { keepProxy: true });
  expect(outline(plan)).toEqual(
    core.filter((id) => id !== 'proxy.disable.daemonset' && id !== 'felix.cleanup-restore'),
  );
});

test('a proxy that a reconciler writes, or whose kind nobody knows, is not touched', () => {
  for (const proxy of [{ managedBy: 'argocd' }, { kind: 'unknown', running: null }] as const) {
    expect(outline(aPlan({ proxy }))).not.toContain('felix.cleanup-restore');
    expect(outline(aPlan({ proxy })).filter((id) => id.startsWith('proxy.'))).toEqual([]);
  }
});

test('without any proxy there is nothing to turn off, and its leftovers may go', () => {
  const plan = aPlan({ proxy: { kind: 'none', running: false, pods: null }, objects: { [ids.proxy]: null } });
  expect(outline(plan)).toEqual(core.filter((id) => id !== 'proxy.disable.daemonset'));
});

test('OpenShift turns its proxy off through its network operator', () => {
  const plan = aPlan({
    platform: { kind: 'openshift' },
    proxy: { kind: 'openshift', pods: null, managedBy: 'openshift-network-operator' },
    objects: { 'Network/cluster': object('operator.openshift.io/v1', 'Network', 'cluster', undefined, { spec: {} }) },
  });
  const operation = only(plan, 'proxy.disable.openshift');
  expect(lastPart(operation)).toMatchObject({ body: { spec: { deployKubeProxy: false } } });
  expect(operation.undo?.act).toMatchObject({ body: { spec: { deployKubeProxy: null } } });
  expect(operation.command).toContain('networks.operator.openshift.io/cluster');
});

test.each([
  ['k3s', 'embedded', '--disable-kube-proxy'],
  ['rke2', 'embedded', 'disable-kube-proxy: true'],
  ['kops', 'static-pods', 'kubeProxy.enabled: false'],
  ['mke', 'embedded', '--kube-default-drop-masq-bits'],
  ['talos', 'daemonset', 'cluster.proxy.disabled: true'],
] as const)('%s: the administrator is told exactly what to do, and it is looked at again', (kind, proxy, text) => {
  const plan = aPlan({ platform: { kind }, proxy: { kind: proxy, running: true } });
  const operation = only(plan, 'proxy.instructions');
  const act = lastPart(operation);
  expect(act?.kind === 'instruct' && act.text).toContain(text);
  expect(operation.done).toEqual({ kind: 'proxy-gone' });
  expect(operation.undo?.act.kind).toBe('instruct');
  expect(only(plan, 'felix.cleanup-restore').seq).toBe(operation.seq + 1);
});

test.each([
  ['proxy.disable.daemonset', {}, {}, ids.proxy],
  ['proxy.disable.openshift', { platform: { kind: 'openshift' }, proxy: { kind: 'openshift' } }, {}, 'Network/cluster'],
  ['proxy.disable.managed', {}, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } }, 'Installation/default'],
  ['proxy.instructions', { platform: { kind: 'k3s' }, proxy: { kind: 'embedded' } }, {}, null],
] as const)('%s: every node is proven once more right before the proxy goes', (id, difference, choices, target) => {
  const operation = only(aPlan(difference, choices), id);
  expect(operation.act).toMatchObject({
    kind: 'sequence',
    steps: [{ act: { kind: 'wait' }, done: { kind: 'bpf-active' } }, {}],
  });
  expect(operation.targets).toEqual(target === null ? [] : [target]);
  expect(operation.diff === '').toBe(target === null);
  expect(operation.command.indexOf('bpfEnabled')).toBeLessThan(operation.command.search(/patch|printf/));
  expect(operation.needs).toContainEqual(expect.objectContaining({ resource: 'pods', subresource: 'log' }));
});

test('a proxy that is turned off already is not turned off again', () => {
  const network = object('operator.openshift.io/v1', 'Network', 'cluster', undefined, {
    spec: { deployKubeProxy: false },
  });
  const plan = aPlan({
    platform: { kind: 'openshift' },
    proxy: { kind: 'openshift' },
    objects: { 'Network/cluster': network },
  });
  expect(only(plan, 'proxy.disable.openshift').status).toBe('already-done');
});

test('where the operator manages the proxy it is held back until every node is proven', () => {
  const plan = aPlan({
    proxy: { managedBy: 'tigera-operator' },
    objects: { [ids.installation]: installationWith({ linuxDataplane: 'Iptables', kubeProxyManagement: 'Enabled' }) },
  });
  expect(only(plan, 'installation.options').act).toMatchObject({
    body: { spec: { calicoNetwork: { kubeProxyManagement: 'Disabled' } } },
  });
  expect(outline(plan)).toEqual([
    ...core.slice(0, 5),
    'installation.options',
    ...core.slice(5, 8),
    'proxy.disable.managed',
    ...core.slice(9),
  ]);
  const undo = only(plan, 'proxy.disable.managed').undo;
  expect(undo?.act.kind === 'sequence' && undo.act.steps.map(({ act }) => act.kind)).toEqual([
    'merge-patch',
    'wait',
    'merge-patch',
    'wait',
  ]);
});

test('management that is only chosen now is switched on in the proxy’s place, and never before', () => {
  const plan = aPlan({}, { set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } });
  expect(outline(plan)).not.toContain('installation.options');
  expect(lastPart(only(plan, 'proxy.disable.managed'))).toMatchObject({
    body: { spec: { calicoNetwork: { kubeProxyManagement: 'Enabled' } } },
  });
});

test('Helm values that pin the data plane: the switch is made with Helm once that fix was chosen', () => {
  const release = {
    name: 'calico',
    namespace: 'tigera-operator',
    chart: 'tigera-operator-v3.31.4',
    revision: 3,
    status: 'deployed',
    values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
  };
  const helm = { installation: { method: 'helm' as const }, resources: { helmReleases: [release] } };
  expect(outline(aPlan(helm))).toEqual(core);
  const plan = aPlan(helm, { fix: ['managed-by.helm'] });
  expect(outline(plan)).toEqual(core.map((id) => (id === 'switch.bpf' ? 'switch.bpf.helm' : id)));
  const operation = only(plan, 'switch.bpf.helm');
  expect(operation.command.split('\n')[0]).toBe(
    'helm upgrade calico projectcalico/tigera-operator --namespace tigera-operator --history-max 0 --reuse-values --version v3.31.4 --set installation.calicoNetwork.linuxDataplane=BPF --set installation.calicoNetwork.hostPorts=null',
  );
  const undo = operation.undo?.act;
  expect(undo?.kind === 'sequence' && undo.steps.at(-1)?.act).toMatchObject({
    verb: 'rollback',
    release: 'calico',
    namespace: 'tigera-operator',
    revision: 3,
  });
});

test("RKE2's own release is never upgraded: its controller writes it again", () => {
  const release = {
    name: 'rke2-calico',
    namespace: 'kube-system',
    chart: 'rke2-calico-v3.31.401',
    revision: 3,
    status: 'deployed',
    values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
  };
  expect(outline(aPlan({ resources: { helmReleases: [release] } }, { fix: ['managed-by.helm'] }))).toEqual(core);
});

test('on a manifest install there is nothing to patch, so nothing is planned', () => {
  for (const method of ['manifest-kdd', 'manifest-etcd', 'none', 'unknown'] as const)
    expect(aPlan({ installation: { method } }).operations).toEqual([]);
});

test('on a cluster that is there already only the last looks are needed', () => {
  expect(outline(aPlan(onBpf)).filter((id) => !id.startsWith('('))).toEqual([
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
  expect(aPlan(onBpf).operations.filter(({ diff }) => diff !== '')).toEqual([]);
});

test('after a run that finished, a kept proxy with its protection needs nothing either', () => {
  const plan = aPlan(
    {
      ...onBpf,
      proxy: { running: true },
      objects: {
        ...onBpf.objects,
        [ids.proxy]: daemonSet('kube-proxy', 'kube-system', 3),
        [ids.felix]: felixWith({ bpfEnabled: true, bpfKubeProxyIptablesCleanupEnabled: false }, 'true'),
        [ids.operator]: object('apps/v1', 'Deployment', 'tigera-operator', 'tigera-operator', {
          spec: {
            replicas: 1,
            template: { metadata: { annotations: { 'signalbox.dev/endpoint-hash': hashOf(aPlan()) } } },
          },
          status: { observedGeneration: 1, updatedReplicas: 1, availableReplicas: 1 },
        }),
      },
    },
    { keepProxy: true },
  );
  expect(outline(plan).filter((id) => !id.startsWith('('))).toEqual([
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
});

function hashOf(plan: Plan): string {
  const { act } = only(plan, 'endpoint.restart-operator');
  return JSON.stringify(act).match(/"signalbox.dev\/endpoint-hash":"([^"]+)"/)?.[1] ?? '';
}

test('eBPF on and the proxy still running: only what is missing is needed, with the waits before it', () => {
  const plan = aPlan({
    ...onBpf,
    proxy: { running: true },
    objects: { ...onBpf.objects, [ids.proxy]: daemonSet('kube-proxy', 'kube-system', 3) },
  });
  expect(outline(plan)).toEqual([
    'snapshot',
    '(endpoint.configmap)',
    'endpoint.active',
    'endpoint.restart-operator',
    'felix.cleanup-flag',
    '(switch.bpf)',
    'bpf.active',
    'endpoint.active',
    'proxy.disable.daemonset',
    'felix.cleanup-restore',
    'verify.pods',
    'verify.version',
    'verify.services',
  ]);
});

test.each([
  ['the same address', '10.0.0.100', 'already-done'],
  ['another address', '10.0.0.99', 'needed'],
])('an endpoint ConfigMap with %s', (_title, host, status) => {
  const plan = aPlan({
    endpoint: { configMap: { namespace: 'tigera-operator', host, port: '6443' } },
    objects: { [ids.endpoint]: endpointObject(host, '6443') },
  });
  const operation = only(plan, 'endpoint.configmap');
  expect(operation.status).toBe(status);
  expect(operation.act.kind).toBe('merge-patch');
  expect(operation.undo?.act).toMatchObject({ body: { data: { KUBERNETES_SERVICE_HOST: host } } });
});

test('without any address the plan asks for one instead of writing an empty one', () => {
  const { endpoint: _none, ...choices } = choose();
  const plan = makePlan({ facts: aCluster(), choices, findings: someFindings({ verdict: 'blocked' }), now: 'now' });
  expect(only(plan, 'endpoint.configmap').act.kind).toBe('instruct');
  expect(JSON.stringify(plan.operations.map(({ act }) => act))).not.toContain('KUBERNETES_SERVICE_HOST');
});

test('with bpfNetworkBootstrap the agents find the API server themselves', () => {
  const plan = aPlan({
    objects: { [ids.installation]: installationWith({ linuxDataplane: 'BPF', bpfNetworkBootstrap: 'Enabled' }) },
    installation: { dataplane: { wanted: 'BPF', actual: 'BPF' } },
  });
  expect(outline(plan).filter((id) => id.includes('endpoint.'))).toEqual([]);
});

test('the switch says what happens, and counts only nodes that run an agent', () => {
  const nodes = [
    ...Array.from({ length: 14 }, (_, index) => aNode(`node-${index}`)),
    aNode('virtual', { virtual: true }),
    aNode('windows', { os: 'windows' }),
  ];
  const plan = aPlan({ nodes });
  expect(only(plan, 'switch.bpf').title).toBe('Switch 14 nodes to eBPF');
  expect(only(plan, 'switch.bpf').why).toContain('12 Services');
  expect(only(plan, 'bpf.active').title).toBe('Wait until eBPF is proven on all 14 nodes');
});

test('waits grow with the nodes, shrink with how many may roll at once, and bpf.active never has less than six minutes', () => {
  const deadline = (count: number, maxUnavailable: number | string) => {
    const rolling = daemonSet('calico-node', 'calico-system', count);
    const spec = { ...(rolling.spec as object), updateStrategy: { rollingUpdate: { maxUnavailable } } };
    const nodes = Array.from({ length: count }, (_, index) => aNode(`node-${index}`));
    return only(aPlan({ nodes, objects: { [ids.agents]: { ...rolling, spec } } }), 'bpf.active').deadlineSeconds;
  };
  expect(deadline(1, 1)).toBeGreaterThanOrEqual(360);
  expect(deadline(100, 1)).toBeGreaterThan(10 * deadline(1, 1));
  expect(deadline(100, '10%')).toBeLessThan(deadline(100, 1) / 5);
  expect(deadline(0, 1)).toBeGreaterThanOrEqual(360);
});

test.each([
  ['Enabled', 'v1.40.7', null],
  [undefined, 'v1.40.7', null],
  ['Disabled', 'v1.40.7', 'kept'],
  ['Disabled', 'v1.30.9', null],
  ['Disabled', null, null],
])('hostPorts %s with operator %s', (hostPorts, operatorVersion, sent) => {
  const calicoNetwork = { linuxDataplane: 'Iptables', ...(hostPorts === undefined ? {} : { hostPorts }) };
  const plan = aPlan({
    installation: { operatorVersion },
    objects: { [ids.installation]: installationWith(calicoNetwork) },
  });
  const { act, done } = only(plan, 'switch.bpf');
  expect(act).toMatchObject({
    body: {
      spec: { calicoNetwork: sent === 'kept' ? { linuxDataplane: 'BPF' } : { linuxDataplane: 'BPF', hostPorts: null } },
    },
  });
  expect(JSON.stringify(act).includes('hostPorts')).toBe(sent !== 'kept');
  expect(JSON.stringify(done)).not.toContain('hostPorts');
});

test('FelixConfiguration is written through v3 only where that API is available', () => {
  expect(only(aPlan(), 'felix.cleanup-flag').command).toContain('felixconfigurations.crd.projectcalico.org/default');
  const v3 = aPlan({ resources: { apis: { v3Available: true, failing: [] } } });
  expect(only(v3, 'felix.cleanup-flag').command).toContain('felixconfigurations.projectcalico.org/default');
  expect(only(v3, 'felix.cleanup-flag').needs.map(({ group }) => group)).not.toContain('crd.projectcalico.org');
});

test('an absent FelixConfiguration is created without bpfEnabled, and goes again', () => {
  const operation = only(aPlan({ objects: { [ids.felix]: null } }), 'felix.cleanup-flag');
  expect(operation.act).toMatchObject({ kind: 'apply', body: { spec: { bpfKubeProxyIptablesCleanupEnabled: false } } });
  expect(JSON.stringify(operation.act)).not.toContain('bpfEnabled');
  expect(operation.undo?.act.kind).toBe('delete');
  expect(operation.reads[0]?.expected).toContainEqual({ path: ['metadata', 'name'], absent: true });
});

test('an operator in a namespace of its own: the endpoint ConfigMap is known from the list', () => {
  const facts = (host: string | null) => ({
    installation: { endpointNamespace: 'calico-operator' },
    endpoint: { configMap: host === null ? null : { namespace: 'calico-operator', host, port: '6443' } },
  });
  expect(only(aPlan(facts('10.0.0.99')), 'endpoint.configmap').undo?.act).toMatchObject({
    kind: 'merge-patch',
    target: { namespace: 'calico-operator' },
    body: { data: { KUBERNETES_SERVICE_HOST: '10.0.0.99' } },
  });
  expect(only(aPlan(facts(null)), 'endpoint.configmap').undo?.act.kind).toBe('delete');
  expect(only(aPlan(facts(null)), 'endpoint.restart-operator').needs).toContainEqual(
    expect.objectContaining({ resource: 'deployments', namespace: 'calico-operator', names: ['tigera-operator'] }),
  );
});

test.each([
  ['eks', null, { dnsConfig: { nameservers: ['169.254.169.253'] } }],
  ['aks', null, { dnsConfig: { nameservers: ['168.63.129.16'] } }],
  ['kops', 'aws:///eu-west-1a/i-1', { dnsConfig: { nameservers: ['169.254.169.253'] } }],
  ['kubeadm', 'gce://project/zone/vm', { dnsConfig: { nameservers: ['169.254.169.254'] } }],
  ['kubeadm', null, { dnsPolicy: 'Default' }],
] as const)('%s with nodes of %s: the operator resolves by %j', (kind, providerID, dns) => {
  const plan = aPlan({ platform: { kind }, nodes: [aNode('a', { providerID })] }, { fix: ['operator.dns-deadlock'] });
  expect(only(plan, 'operator.dns').act).toMatchObject({ body: { spec: { template: { spec: dns } } } });
});

test('guards name what the plan relied on, as the operations before leave it, and nothing that the operator rewrites', () => {
  const plan = aPlan();
  const expected = (id: string) =>
    only(plan, id).reads.flatMap(({ target, expected: fields }) =>
      fields.map((field) => [objectId(target), field.path.at(-1), 'absent' in field ? 'absent' : field.equals]),
    );
  expect(expected('switch.bpf')).toEqual([
    ['Installation/default', 'linuxDataplane', 'Iptables'],
    ['FelixConfiguration/default', 'bpfKubeProxyIptablesCleanupEnabled', false],
    [ids.endpoint, 'KUBERNETES_SERVICE_HOST', '10.0.0.100'],
    [ids.endpoint, 'KUBERNETES_SERVICE_PORT', '6443'],
  ]);
  expect(expected('proxy.disable.daemonset')).toContainEqual(['Installation/default', 'linuxDataplane', 'BPF']);
  expect(expected('proxy.disable.daemonset')).toContainEqual([ids.proxy, 'non-calico', 'absent']);
  expect(expected('felix.cleanup-flag')).toEqual([
    ['FelixConfiguration/default', 'bpfKubeProxyIptablesCleanupEnabled', 'absent'],
  ]);
  expect(JSON.stringify(plan.operations.map(({ reads }) => reads))).not.toMatch(
    /resourceVersion|hostPorts|nftablesMode/,
  );
});

test('every wait and write says how to do the same by hand, and every write has its way back', () => {
  for (const { id, act, command, undo } of aPlan().operations) {
    if (act.kind !== 'journal') expect(command, id).not.toBe('');
    if (act.kind === 'merge-patch' || act.kind === 'apply') expect(undo, id).not.toBeNull();
  }
});

test('an address without a port is named as that', () => {
  expect(only(aPlan({}, { endpoint: { host: 'api', port: '' } }), 'endpoint.configmap').title).toBe(
    'Tell Calico the API server’s real address, api (the port is missing)',
  );
});

test('what was recorded for forgetting kubeadm’s proxy can be created again', () => {
  const operation = only(aPlan({}, { forgetKubeadmProxy: true }), 'proxy.forget-kubeadm');
  const recorded = objects()[ids.proxyConfig];
  expect(operation.undo?.act).toMatchObject({ kind: 'recreate', body: { data: recorded?.data } });
  expect(JSON.stringify(operation.undo?.act)).not.toContain('generation');
});

test.each([
  [{ goal: 'upgrade' }, 'choices.release', ['release']],
  [{ goal: 'undo' }, 'goal.not-planned', ['goal']],
  [{ automatic: true }, 'choices.automatic', ['automatic']],
  [{ set: { 'calicoNetwork.linuxDataplane': 'Iptables' } }, 'choices.set', ['set', 'calicoNetwork.linuxDataplane']],
  [{ set: { 'calicoNetwork.mut': 1400 } }, 'choices.set', ['set', 'calicoNetwork.mut']],
  [
    { keepProxy: true, set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' } },
    'choices.set',
    ['set', 'calicoNetwork.kubeProxyManagement'],
  ],
] as const)('%j is refused, naming the field', (choices, code, path) => {
  try {
    aPlan({}, choices);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(PlanError);
    expect(error).toMatchObject({ code, path });
  }
});

test.each<[string, { release?: string }, RegExp]>([
  ['no release is chosen', {}, /^release: no release to upgrade to is chosen\. /],
  ['it is not a release', { release: 'v3.31' }, /^release: "v3\.31" is not a release of Calico\. /],
  ['it is a build of a release', { release: 'v3.31.4-rc1' }, /^release: "v3\.31\.4-rc1" is not a release of Calico\. /],
  ['its files are not here', { release: '3.31.4' }, /^release: the files of v3\.31\.4 are not here yet\. /],
])('an upgrade without the files of a release is refused, because %s', (_why, choices, sentence) => {
  expect(() => aPlan({}, { goal: 'upgrade', ...choices })).toThrow(sentence);
});

const flagLeftBehind = (before: unknown) => ({
  objects: { [ids.felix]: felixWith({ bpfEnabled: false, bpfKubeProxyIptablesCleanupEnabled: false }, 'false') },
  resources: {
    leftBehind: [
      {
        object: ids.felix,
        path: ['spec', 'bpfKubeProxyIptablesCleanupEnabled'],
        value: false,
        before,
        run: '20261121-0637-3f9c',
        evidence: [],
      },
    ],
  },
});

test.each([
  ['unset', null],
  ['true', true],
])('a cleanup flag that an abandoned run left false goes back to what was before that run: %s', (_words, before) => {
  const plan = aPlan(flagLeftBehind(before));
  const body = { spec: { bpfKubeProxyIptablesCleanupEnabled: before } };
  expect(only(plan, 'felix.cleanup-restore').act).toMatchObject({ kind: 'merge-patch', body });
  const flag = only(plan, 'felix.cleanup-flag');
  expect(flag).toMatchObject({ status: 'needed', diff: '', undo: { act: { kind: 'merge-patch', body } } });
  expect(flag.undo?.diff).toContain('-  bpfKubeProxyIptablesCleanupEnabled: false');
  expect(flag.why).toContain('Run 20261121-0637-3f9c');
});

test('a cleanup flag that the administrator set to false stays false', () => {
  const { objects: differing } = flagLeftBehind(null);
  const plan = aPlan({ objects: differing });
  expect(only(plan, 'felix.cleanup-flag').status).toBe('already-done');
  expect(only(plan, 'felix.cleanup-restore').act).toMatchObject({
    body: { spec: { bpfKubeProxyIptablesCleanupEnabled: false } },
  });
});
