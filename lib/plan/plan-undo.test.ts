import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makePlan } from './make-plan.ts';
import { afterAct } from './objects/objects.ts';
import { parsePlan } from './parse-plan.ts';
import type { Plan } from './plan.ts';
import { planUndo } from './plan-undo.ts';
import {
  aCluster,
  aPlan,
  carriers,
  choose,
  type Difference,
  endpointObject,
  ids,
  object,
  proxyConfig,
  someFindings,
} from './testing/a-cluster.ts';

const seqOf = (plan: Plan, id: string) => plan.operations.find((operation) => operation.id === id)?.seq ?? 0;
const upTo = (plan: Plan, id: string) => plan.operations.map(({ seq }) => seq).filter((seq) => seq <= seqOf(plan, id));
const all = (plan: Plan) => plan.operations.map(({ seq }) => seq);
const undone = (plan: Plan, finished = all(plan), begun: number | null = null) =>
  planUndo(plan, finished, begun).map(({ id }) => id);

test('a finished switch is taken back in the order of journey 4', () => {
  const plan = aPlan(
    {},
    { forgetKubeadmProxy: true, dsr: true, fix: ['operator.dns-deadlock', 'feature.node-local-dns'] },
  );
  expect(undone(plan)).toEqual([
    'felix.cleanup-restore',
    'proxy.forget-kubeadm',
    'proxy.disable.daemonset',
    'switch.bpf',
    'service.nat-exclude',
    'felix.options',
    'felix.cleanup-flag',
    'operator.dns',
    'endpoint.configmap',
    'endpoint.restart-operator',
    'endpoint.active',
  ]);
});

test('the steps wait for what the catalogue says', () => {
  const steps = new Map(planUndo(aPlan(), all(aPlan()), null).map((step) => [step.id, step]));
  expect(steps.get('felix.cleanup-restore')?.done).toMatchObject({
    of: [
      { kind: 'fields' },
      { kind: 'agents-restarted', since: { path: ['spec', 'bpfKubeProxyIptablesCleanupEnabled'] } },
    ],
  });
  expect(steps.get('proxy.disable.daemonset')?.done).toMatchObject({
    kind: 'proxy-back',
    target: { name: 'kube-proxy' },
  });
  expect(steps.get('switch.bpf')?.done).toEqual({ kind: 'bpf-inactive' });
  expect(steps.get('endpoint.configmap')?.act).toMatchObject({ kind: 'delete' });
  expect(steps.get('endpoint.active')?.done).toEqual({ kind: 'endpoint-active', endpoint: null });
});

test.each([
  ['a kept proxy', {}, { keepProxy: true }, { kind: 'proxy-back', target: { name: 'kube-proxy' } }],
  ['a proxy that this run turns off', {}, {}, { kind: 'proxy-back', target: { name: 'kube-proxy' } }],
  ['an embedded proxy', { platform: { kind: 'k3s' }, proxy: { kind: 'embedded' } }, {}, { target: null }],
  ['no proxy before', { proxy: { kind: 'none', running: false } }, {}, null],
] as const)(
  '%s: no node leaves eBPF before the proxy’s rules are protected and seen',
  (_title, difference, choices, back) => {
    const plan = aPlan(difference, choices);
    const act = planUndo(plan, upTo(plan, 'switch.bpf'), null).find(({ id }) => id === 'switch.bpf')?.act;
    expect(act).toMatchObject({
      kind: 'sequence',
      steps: [
        {
          act: { body: { spec: { bpfKubeProxyIptablesCleanupEnabled: false } } },
          done: { of: [{ kind: 'fields' }, { kind: 'agents-restarted' }] },
        },
        ...(back === null ? [] : [{ act: { kind: 'wait' }, done: back }]),
        { act: { target: { name: 'default' }, body: { spec: { calicoNetwork: { linuxDataplane: 'Iptables' } } } } },
      ],
    });
  },
);

test('a switch that Helm made goes back the same way, and a release that is deployed is not taken for one that was rolled back', () => {
  const release = {
    name: 'calico',
    namespace: 'tigera-operator',
    chart: 'tigera-operator-v3.31.4',
    revision: 3,
    status: 'deployed',
    values: { installation: { calicoNetwork: { linuxDataplane: 'Iptables' } } },
  };
  const plan = aPlan({ resources: { helmReleases: [release] } }, { fix: ['managed-by.helm'], keepProxy: true });
  expect(planUndo(plan, all(plan), null).find(({ id }) => id === 'switch.bpf.helm')?.act).toMatchObject({
    steps: [
      { done: { of: [{}, { kind: 'agents-restarted' }] } },
      { act: { kind: 'wait' }, done: { kind: 'proxy-back' } },
      { act: { kind: 'helm' }, done: { of: [{ kind: 'helm-deployed' }, { fields: [{ equals: 'Iptables' }] }] } },
    ],
  });
});

test('an unfinished step is undone too, and steps that had not begun are not', () => {
  const plan = aPlan();
  expect(undone(plan, upTo(plan, 'felix.cleanup-flag'), seqOf(plan, 'switch.bpf'))).toEqual([
    'switch.bpf',
    'felix.cleanup-flag',
    'endpoint.configmap',
    'endpoint.restart-operator',
    'endpoint.active',
  ]);
  expect(undone(plan, [], null)).toEqual([]);
  expect(undone(plan, upTo(plan, 'snapshot'), null)).toEqual([]);
});

test('a ConfigMap that goes takes the operator’s restart with it, also where that operation had not begun', () => {
  const plan = aPlan();
  expect(undone(plan, [1], seqOf(plan, 'endpoint.configmap'))).toEqual([
    'endpoint.configmap',
    'endpoint.restart-operator',
    'endpoint.active',
  ]);
});

test('the operator starts again even if its annotation is what it was', () => {
  const plan = aPlan();
  const step = planUndo(plan, upTo(plan, 'endpoint.configmap'), null).find(
    ({ id }) => id === 'endpoint.restart-operator',
  );
  const marks = step?.act.kind === 'sequence' ? step.act.steps.map(({ act }) => JSON.stringify(act)) : [];
  expect(marks[0]).toContain('undo-of-');
  expect(marks[1]).toContain('"signalbox.dev/endpoint-hash":null');
  expect(step?.done).toMatchObject({ of: [{}, {}, { kind: 'endpoint-active', endpoint: null }] });
});

test('a step that was done before the plan is not undone', () => {
  const plan = aPlan({
    endpoint: {
      configMap: { namespace: 'tigera-operator', host: '10.0.0.100', port: '6443' },
      inUse: carriers('10.0.0.100', '6443'),
    },
    objects: { [ids.endpoint]: endpointObject('10.0.0.100', '6443') },
  });
  expect(undone(plan)).not.toContain('endpoint.configmap');
  expect(undone(plan)).toContain('switch.bpf');
});

const felixOn = object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, {
  spec: { bpfEnabled: true },
});
const offProxy = { running: false, pods: { desired: 0, ready: 0 } };
const foundOn = { dataplane: { wanted: 'BPF', actual: 'BPF' } } as const;

test.each([
  [
    'eBPF is on and stays on: only the proxy is waited for',
    { installation: foundOn, objects: { [ids.felix]: felixOn } },
    [{ kind: 'proxy-back' }],
  ],
  [
    'bpfEnabled was set by hand: eBPF is not waited away',
    { installation: { dataplane: { wanted: 'Iptables', actual: 'BPF' } }, objects: { [ids.felix]: felixOn } },
    [{ kind: 'proxy-back' }],
  ],
  [
    'nobody knows the data plane: both are waited for',
    { installation: { dataplane: { wanted: 'Iptables', actual: 'unknown' } } },
    [{ kind: 'bpf-inactive' }, { kind: 'proxy-back' }],
  ],
] as const)('%s before the endpoint goes', (_title, difference, awaited) => {
  const plan = aPlan(difference);
  const act = planUndo(plan, all(plan), null).find(({ id }) => id === 'endpoint.configmap')?.act;
  const [wait, back] = act?.kind === 'sequence' ? act.steps : [];
  expect(wait?.done).toMatchObject(awaited.length === 1 ? awaited[0] : { of: awaited });
  expect(back?.act.kind).toBe('delete');
});

test('eBPF on without a proxy, before and after: the address that it needs is left, and the plan says so', () => {
  const objects = { [ids.felix]: felixOn };
  const plan = aPlan({ installation: foundOn, proxy: offProxy, objects });
  expect(undone(plan).filter((id) => id.startsWith('endpoint.'))).toEqual([]);
  expect(plan.operations.find(({ id }) => id === 'endpoint.configmap')?.why).toContain('An undo leaves it');
  const earlier = aPlan({
    installation: foundOn,
    proxy: offProxy,
    endpoint: { configMap: { namespace: 'tigera-operator', host: '10.0.0.99', port: '6443' } },
    objects: { ...objects, [ids.endpoint]: endpointObject('10.0.0.99', '6443') },
  });
  expect(planUndo(earlier, all(earlier), null).find(({ id }) => id === 'endpoint.configmap')?.act.kind).toBe(
    'merge-patch',
  );
});

test('bpfEnabled set by hand: the mark goes before the Installation, and eBPF is not waited away', () => {
  const plan = aPlan(
    {
      objects: {
        [ids.felix]: object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, {
          spec: { bpfEnabled: true },
        }),
      },
    },
    { fix: ['install.felix-annotation'] },
  );
  const steps = planUndo(plan, all(plan), null);
  expect(steps.map(({ id }) => id).slice(2, 4)).toEqual(['felix.annotation', 'switch.bpf']);
  expect(steps[3]?.done.kind).toBe('fields');
  expect(JSON.stringify(steps[3]?.act)).not.toContain('agents-restarted');
  expect(steps[3]?.act).toMatchObject({ steps: [{}, { done: { kind: 'proxy-back' } }, {}] });
});

test('bpfEnabled false with another mark: its mark goes back only after eBPF is off', () => {
  const plan = aPlan(
    {
      objects: {
        [ids.felix]: object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', undefined, {
          spec: { bpfEnabled: false },
        }),
      },
    },
    { fix: ['install.felix-annotation'] },
  );
  const order = undone(plan);
  expect(order.indexOf('felix.annotation')).toBeGreaterThan(order.indexOf('switch.bpf'));
});

test('a proxy that the operator managed is managed again only after eBPF is off', () => {
  const plan = aPlan({
    proxy: { managedBy: 'tigera-operator' },
    objects: {
      [ids.installation]: object('operator.tigera.io/v1', 'Installation', 'default', undefined, {
        spec: { calicoNetwork: { linuxDataplane: 'Iptables', kubeProxyManagement: 'Enabled' } },
      }),
    },
  });
  const steps = planUndo(plan, all(plan), null);
  const order = steps.map(({ id }) => id);
  expect(order.indexOf('installation.options')).toBeGreaterThan(order.indexOf('switch.bpf'));
  const managed = steps.find(({ id }) => id === 'proxy.disable.managed');
  expect(managed?.act).toMatchObject({
    steps: [{ act: { body: { spec: { calicoNetwork: { kubeProxyManagement: 'Disabled' } } } } }, {}, {}, {}],
  });
  expect(steps.find(({ id }) => id === 'installation.options')?.act).toMatchObject({
    body: { spec: { calicoNetwork: { kubeProxyManagement: 'Enabled' } } },
  });
});

/** Everything that the journey can write, with earlier values or without. */
const cluster: fc.Arbitrary<Difference> = fc
  .record({
    cleanup: fc.constantFrom(undefined, true, false),
    dsr: fc.constantFrom(undefined, 'Tunnel', 'DSR'),
    endpoint: fc.constantFrom(null, ['10.0.0.1', '6443'], ['10.0.0.100', '6443']),
    felix: fc.boolean(),
    mark: fc.constantFrom(undefined, 'true', 'false'),
    hostPorts: fc.constantFrom(undefined, 'Enabled', 'Disabled'),
    management: fc.constantFrom(undefined, 'Enabled', 'Disabled'),
    operatorMark: fc.constantFrom(undefined, 'earlier'),
    dns: fc.constantFrom(undefined, ['8.8.8.8']),
    nat: fc.constantFrom(undefined, 'false'),
    ipvs: fc.boolean(),
  })
  .map((given) => ({
    proxy: { mode: given.ipvs ? ('ipvs' as const) : ('iptables' as const) },
    endpoint: {
      configMap:
        given.endpoint === null
          ? null
          : { namespace: 'tigera-operator', host: given.endpoint[0] ?? '', port: given.endpoint[1] ?? '' },
    },
    objects: {
      [ids.felix]: given.felix
        ? object(
            'crd.projectcalico.org/v1',
            'FelixConfiguration',
            'default',
            undefined,
            {
              spec: defined({
                bpfEnabled: false,
                bpfKubeProxyIptablesCleanupEnabled: given.cleanup,
                bpfExternalServiceMode: given.dsr,
              }),
            },
            { annotations: defined({ other: 'kept', 'operator.tigera.io/bpfEnabled': given.mark }) },
          )
        : null,
      [ids.endpoint]: given.endpoint === null ? null : endpointObject(given.endpoint[0] ?? '', given.endpoint[1] ?? ''),
      [ids.installation]: object('operator.tigera.io/v1', 'Installation', 'default', undefined, {
        spec: {
          calicoNetwork: defined({
            linuxDataplane: 'Iptables',
            hostPorts: given.hostPorts,
            kubeProxyManagement: given.management,
          }),
        },
      }),
      [ids.operator]: object('apps/v1', 'Deployment', 'tigera-operator', 'tigera-operator', {
        spec: {
          template: {
            metadata: { annotations: defined({ kept: 'x', 'signalbox.dev/endpoint-hash': given.operatorMark }) },
            spec: defined({ dnsPolicy: 'ClusterFirstWithHostNet', dnsConfig: given.dns && { nameservers: given.dns } }),
          },
        },
      }),
      [ids.dns]: object(
        'v1',
        'Service',
        'kube-dns',
        'kube-system',
        {},
        {
          annotations: defined({ kept: 'x', 'projectcalico.org/natExcludeService': given.nat }),
        },
      ),
      [ids.proxyConfig]: object('v1', 'ConfigMap', 'kube-proxy', 'kube-system', {
        data: { 'config.conf': proxyConfig(given.ipvs ? 'ipvs' : '') },
      }),
    },
  }));

function defined(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** An object as it was, without maps that are empty now: they cannot be distinguished from absent ones. */
function shown(objects: Difference['objects']): unknown {
  return JSON.parse(
    JSON.stringify(objects, (key, value: unknown) =>
      key === 'generation' || JSON.stringify(value) === '{}' ? undefined : value,
    ),
  );
}

test('acting and then taking back gives every object back as it was, wherever the run ended', () => {
  fc.assert(
    fc.property(
      cluster,
      fc.subarray(['operator.dns-deadlock', 'install.felix-annotation', 'feature.node-local-dns', 'proxy.not-ipvs']),
      fc.boolean(),
      fc.nat(24),
      (difference, fix, option, cut) => {
        const facts = aCluster(difference);
        const choices = choose({
          fix,
          dsr: option,
          forgetKubeadmProxy: option,
          ...(option ? { set: { registry: 'x/' } } : {}),
        });
        const plan = makePlan({ facts, choices, findings: someFindings(), now: 'now' });
        // A run whose journal cannot be read again could neither go on nor be undone.
        expect(parsePlan(JSON.parse(JSON.stringify(plan))).hash).toBe(plan.hash);
        const reached = plan.operations.slice(0, cut);
        const before = facts.resources.objects;
        const acted = reached
          .filter(({ status }) => status === 'needed')
          .reduce((known, { act }) => afterAct(known, act), before);
        const steps = planUndo(
          plan,
          reached.slice(0, -1).map(({ seq }) => seq),
          reached.at(-1)?.seq ?? null,
        );
        const after = steps.reduce((known, { act }) => afterAct(known, act), acted);
        expect(shown(after)).toEqual(shown(before));
      },
    ),
    { numRuns: 100 },
  );
});
