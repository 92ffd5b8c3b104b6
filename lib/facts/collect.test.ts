import { expect, test, vi } from 'vitest';
import { type AccessRule, createStore, instantClock, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { collectFacts } from './collect.ts';
import { factsSchema } from './schema.ts';
import { aConfigMap, aNode, kubernetesObjects, standardCluster } from './testing/sample-cluster.ts';

/** OpenShift's kinds would make it OpenShift. */
const served = Object.values(resources).filter(({ group }) => !group.includes('openshift'));
const everything: AccessRule = { verbs: ['*'], groups: ['*'], resources: ['*'] };

function aCluster(objects: KubeObject[] = standardCluster(), access: AccessRule[] = [everything]) {
  return createStore({
    name: 'lab',
    source: 'live',
    version: 'v1.36.3',
    kinds: served,
    objects,
    access,
  });
}

/** Everything but these plurals. */
function allBut(...plurals: string[]): AccessRule[] {
  const others = [...new Set(Object.values(resources).map(({ plural }) => plural))].filter(
    (one) => !plurals.includes(one),
  );
  return [{ verbs: ['*'], groups: ['*'], resources: others }];
}

test('a healthy kubeadm cluster is read whole', async () => {
  const facts = await collectFacts({ kube: aCluster(), clock: instantClock(0) });

  expect(factsSchema.parse(facts)).toEqual(facts);
  expect(facts.observedAt).toBe('1970-01-01T00:00:00.000Z');
  expect(facts.cluster).toMatchObject({ name: 'lab', source: 'live', kubernetesVersion: 'v1.36.3' });
  expect(facts.cluster.serviceCIDRs).toEqual(['10.96.0.0/12']);
  expect(facts.platform.kind).toBe('kubeadm');
  expect(facts.nodes.map(({ name }) => name)).toEqual(['control-1', 'worker-1']);
  expect(facts.installation).toMatchObject({ method: 'operator', version: 'v3.31.4', operatorVersion: 'v1.40.7' });
  expect(facts.installation.dataplane).toEqual({ wanted: 'Iptables', actual: 'Iptables' });
  expect(facts.proxy).toMatchObject({ kind: 'daemonset', mode: 'iptables', running: true });
  expect(facts.endpoint.suggested).toMatchObject({ host: 'api.lab.example', port: 6443 });
  expect(facts.resources).toMatchObject({ podCount: 1, serviceCount: 1 });
  expect(facts.resources.objects['Installation/default']).toMatchObject({ kind: 'Installation' });
  expect(facts.resources.objects['tigera-operator/ConfigMap/kubernetes-services-endpoint']).toBeNull();
  const uncovered = Object.entries(facts.coverage).filter(([, { covered }]) => !covered);
  expect(uncovered.map(([key]) => key)).toEqual(['access', 'endpointProbe', 'ownerReferences']);
});

test('each list is read once, whoever asks for it', async () => {
  const kube = aCluster();
  const calls: string[] = [];
  kube.intercept(async (call, proceed) => {
    // Version and discovery are both this one.
    if (call.resource !== 'discovery')
      calls.push(`${call.verb} ${call.group}/${call.resource} ${call.namespace ?? ''} ${call.name ?? ''}`);
    await proceed();
  });
  await collectFacts({ kube });
  const twice = [...new Set(calls.filter((call, i) => calls.indexOf(call) !== i))];
  expect(twice).toEqual([
    // The control plane's pods by their two labels; ours by their labels, and all for what runs in them; one definition by name, and all for an upgrade.
    'list /pods kube-system ',
    'list apps/deployments  ',
    'list apiextensions.k8s.io/customresourcedefinitions  ',
  ]);
});

test('a refused kind is unknown with the missing rule, and the others are collected', async () => {
  const facts = await collectFacts({ kube: aCluster(undefined, allBut('nodes', 'felixconfigurations')) });

  expect(facts.nodes).toEqual([]);
  expect(facts.coverage.nodes).toMatchObject({
    covered: false,
    missing: [{ kind: 'Node', rule: { verb: 'list', group: '', resource: 'nodes' } }],
  });
  expect(facts.coverage.felix.missing.map(({ rule }) => rule?.group)).toEqual([
    'crd.projectcalico.org',
    'projectcalico.org',
  ]);
  expect(facts.coverage.dataplane.covered).toBe(false);
  expect(facts.installation.dataplane).toEqual({ wanted: 'Iptables', actual: 'unknown' });
  // kubeadm-config alone tells the platform.
  expect(facts.coverage.platform.covered).toBe(true);
  expect(facts.coverage.proxy.covered).toBe(true);
  expect('FelixConfiguration/default' in facts.resources.objects).toBe(false);
});

test('a list that times out says so, and the rest is told', async () => {
  const kube = aCluster();
  kube.intercept(async (call, proceed) => {
    if (call.verb === 'list' && call.resource === 'daemonsets')
      throw new KubeError('timeout', 'No answer within 30 s.');
    await proceed();
  });
  const facts = await collectFacts({ kube });
  expect(facts.coverage.workloads).toEqual({
    covered: false,
    missing: [{ kind: 'DaemonSet.apps', because: 'No answer within 30 s.' }],
  });
  // The agent's DaemonSet was still read by its name.
  expect(facts.installation.method).toBe('operator');
  expect(facts.endpoint.inUse.length).toBeGreaterThan(0);
});

test('nodes that were read before the list broke off are told, and not counted as all', async () => {
  const kube = aCluster([...standardCluster(), ...Array.from({ length: 600 }, (_, i) => aNode({ name: `node-${i}` }))]);
  let pages = 0;
  kube.intercept(async (call, proceed) => {
    if (call.verb === 'list' && call.resource === 'nodes' && ++pages > 1)
      throw new KubeError('unreachable', 'Connection reset.');
    await proceed();
  });
  const facts = await collectFacts({ kube });
  expect(facts.nodes.length).toBeGreaterThan(0);
  expect(facts.nodes.length).toBeLessThan(600);
  expect(facts.coverage.nodes).toEqual({ covered: false, missing: [{ kind: 'Node', because: 'Connection reset.' }] });
});

test.each([
  ['unauthorized', new KubeError('unauthorized', 'The token has expired.')],
  ['unreachable', new KubeError('unreachable', 'Connection refused.')],
] as const)('when nothing at all can be read it rejects: %s', async (code, error) => {
  const kube = aCluster();
  kube.intercept(async () => {
    throw error;
  });
  await expect(collectFacts({ kube })).rejects.toMatchObject({ name: 'KubeError', code });
});

test('an account that may read nothing is told what is missing, fact by fact', async () => {
  const facts = await collectFacts({ kube: aCluster(undefined, []) });
  expect(facts.nodes).toEqual([]);
  expect(facts.coverage.nodes).toMatchObject({
    covered: false,
    missing: [{ kind: 'Node', rule: { verb: 'list', group: '', resource: 'nodes' } }],
  });
  const known = Object.entries(facts.coverage).filter(([, { covered }]) => covered);
  expect(known.map(([key]) => key)).toEqual(['cluster']);
});

test('the API server that goes away in the middle leaves what was read, with reasons', async () => {
  const kube = aCluster();
  let calls = 0;
  kube.intercept(async (_call, proceed) => {
    if (++calls > 20) throw new KubeError('unreachable', 'Connection reset.');
    await proceed();
  });
  const facts = await collectFacts({ kube });
  const gaps = Object.values(facts.coverage).flatMap(({ missing }) => missing);
  expect(gaps.some(({ because }) => because === 'Connection reset.')).toBe(true);
});

test('an abort in the middle rejects, and nothing hangs', async () => {
  const kube = aCluster();
  const controller = new AbortController();
  kube.intercept(async (call, proceed) => {
    if (call.resource === 'nodes') controller.abort(new Error('enough'));
    await proceed();
  });
  await expect(collectFacts({ kube, signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' });
});

test('kinds that nobody serves are there and empty on a live cluster', async () => {
  const isCore = (object: KubeObject) => !/calico|tigera/.test(object.apiVersion);
  const kube = createStore({ name: 'lab', source: 'live', objects: standardCluster().filter(isCore) });
  const facts = await collectFacts({ kube });
  expect(facts.coverage.pools).toEqual({ covered: true, missing: [] });
  expect(facts.coverage.felix.covered).toBe(true);
});

test('… unless their API is registered and nobody answers', async () => {
  const store = createStore({ name: 'lab', source: 'live', objects: [aNode({})] });
  const because = 'the server is currently unable to handle the request';
  const kube: Kube = {
    ...store,
    discover: async () => ({ resources: [], failing: [{ groupVersion: 'projectcalico.org/v3', because }] }),
  };
  const facts = await collectFacts({ kube });
  expect(facts.coverage.pools.missing).toEqual([
    { kind: 'IPPool.projectcalico.org', because: `projectcalico.org/v3 is not available: ${because}` },
  ]);
  expect(facts.resources.apis.failing).toEqual([{ groupVersion: 'projectcalico.org/v3', because }]);
});

test('rules are asked once, and answered in their order', async () => {
  const kube = aCluster(undefined, allBut('leases'));
  const rules = [
    { verb: 'create', group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system' },
    { verb: 'get', group: '', resource: 'nodes' },
  ];
  const allowed = vi.spyOn(kube, 'allowed');
  const facts = await collectFacts({ kube, rules });
  expect(allowed).toHaveBeenCalledTimes(1);
  expect(facts.resources.access).toEqual([
    { ...rules[0], allowed: false },
    { ...rules[1], allowed: true },
  ]);
  expect(facts.coverage.access.covered).toBe(true);
});

test('progress tells how far each list is', async () => {
  const events: string[] = [];
  await collectFacts({
    kube: aCluster(),
    progress: ({ kind, objects, finished }) => {
      if (finished) events.push(`${kind} ${objects}`);
    },
  });
  expect(events).toContain('Node 2');
  expect(events).toContain('FelixConfiguration.projectcalico.org 1');
});

test('the two names of a Calico kind count as one', async () => {
  const v3 = standardCluster().map((object) =>
    object.kind === 'FelixConfiguration' ? { ...object, apiVersion: 'projectcalico.org/v3' } : object,
  );
  const withoutStored = served.filter(({ group }) => group !== 'crd.projectcalico.org');
  const kube = createStore({
    name: 'lab',
    source: 'live',
    kinds: withoutStored,
    objects: v3.filter(({ kind }) => kind !== 'IPPool'),
  });
  const facts = await collectFacts({ kube });
  expect(facts.coverage.felix.covered).toBe(true);
  expect(facts.installation.dataplane.actual).toBe('Iptables');
  expect(facts.resources.objects['FelixConfiguration/default']).toMatchObject({ apiVersion: 'projectcalico.org/v3' });
});

test('the endpoint that is judged is probed, and nothing else is ever dialled', async () => {
  const dialled: string[] = [];
  const behind: string[] = [];
  const probing = (objects: KubeObject[]): Kube => ({
    ...aCluster(objects),
    probeEndpoint: async ({ host, port }, { servers = [] } = {}) => {
      dialled.push(`${host}:${port}`);
      behind.push(...servers.map((server) => `${server.host}:${server.port}`));
      return {
        name: { resolved: false, because: 'no such name' },
        connection: { made: false, because: 'no name' },
        latency: null,
        certificate: null,
        ready: null,
        servers: [],
        dialled: [],
        leftAlone: [],
      };
    },
  });
  const configured = (host: string, port = '6443') =>
    aConfigMap('tigera-operator', 'kubernetes-services-endpoint', {
      KUBERNETES_SERVICE_HOST: host,
      KUBERNETES_SERVICE_PORT: port,
    });
  const choices = { goal: 'enable', acknowledge: {}, fix: [], acceptProposals: false, set: {} } as const;
  const chosen = { ...choices, fix: [], endpoint: { host: '198.18.0.99', port: '443' } };

  await collectFacts({ kube: probing([...standardCluster(), configured('198.18.0.10')]), choices: chosen });
  await collectFacts({ kube: probing([...standardCluster(), configured('198.18.0.10')]) });
  await collectFacts({ kube: probing(standardCluster()) });
  expect(dialled).toEqual(['198.18.0.99:443', '198.18.0.10:6443', 'api.lab.example:6443']);
  expect([...new Set(behind)]).toEqual(['198.18.0.11:6443']);

  const others = ['198.18.0.12', '127.0.0.1', '169.254.169.254', '10.96.0.7'];
  const claimed = standardCluster().filter(({ kind }) => kind !== 'EndpointSlice');
  behind.length = 0;
  await collectFacts({ kube: probing([...claimed, ...kubernetesObjects(others).slice(1)]) });
  // Which of these may be dialled is the probe's to say: it looks at addresses, and knows the kubeconfig's own.
  expect(behind).toEqual(['198.18.0.12:6443', '127.0.0.1:6443', '169.254.169.254:6443']);

  dialled.length = 0;
  for (const host of ['localhost', '10.96.0.1', '10.97.3.4', 'https://x', 'kubernetes.default.svc', 'proxy.local']) {
    const facts = await collectFacts({ kube: probing([...standardCluster(), configured(host)]) });
    expect(facts.resources.endpointProbe).toHaveProperty('because');
  }
  await collectFacts({ kube: probing([...standardCluster(), configured('198.18.0.10', '99999')]) });
  for (const goal of ['upgrade', 'restore', 'policy', 'flow-logs'] as const)
    await collectFacts({ kube: probing(standardCluster()), choices: { ...chosen, goal } });
  expect(dialled).toEqual([]);
});
