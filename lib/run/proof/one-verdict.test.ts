import { expect, test } from 'vitest';
import { collectFacts } from '#lib/facts/index.ts';
import { type Clock, createStore, type Kube, KubeError, type KubeObject } from '#lib/kube/index.ts';
import { journalNamespaces, resources, runsAgent } from '#lib/spec/index.ts';
import { type NodeLine, watchCluster } from '#lib/status/index.ts';
import { proveNodes } from './prove-nodes.ts';

/** The same node and the same objects, read by a run, by status and by the facts of a check: the three must not contradict each other. */
const now = Date.parse('2026-11-21T06:00:00Z');
const clock: Clock = { now: () => now, monotonic: () => now, sleep: async () => undefined };
const hourAgo = '2026-11-21T05:00:00Z';
const switchedAt = '2026-11-21T05:50:00Z';

type Cluster = {
  node?: { labels?: Record<string, string>; taints?: object[]; operatingSystem?: string };
  hasAgent?: boolean;
  /** The agent's environment, by name. */
  env?: Record<string, string>;
  everywhere?: Record<string, unknown>;
  own?: Record<string, unknown>;
  log?: string;
  /** What bpftool prints in the agent; absent: the program is not there. */
  attached?: readonly string[];
};

const felix = (name: string, spec: Record<string, unknown>, time: string): KubeObject => ({
  apiVersion: 'crd.projectcalico.org/v1',
  kind: 'FelixConfiguration',
  metadata: {
    name,
    managedFields: [{ manager: 'operator', operation: 'Update', time, fieldsV1: { 'f:spec': { 'f:bpfEnabled': {} } } }],
  },
  spec,
});

function objectsOf({ node = {}, hasAgent = true, env = {}, everywhere = {}, own }: Cluster): KubeObject[] {
  const labels = { 'k8s-app': 'calico-node' };
  const agent = {
    name: 'calico-node',
    image: 'calico/node',
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
  };
  const running = { name: 'calico-node', ready: true, state: { running: { startedAt: hourAgo } } };
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'w', labels: node.labels ?? {}, creationTimestamp: hourAgo },
      spec: { taints: node.taints ?? [] },
      status: {
        nodeInfo: { kernelVersion: '6.1.0', operatingSystem: node.operatingSystem },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'calico-node', namespace: 'calico-system' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { hostNetwork: true, tolerations: [{ operator: 'Exists' }], containers: [agent] },
        },
      },
    },
    ...(hasAgent
      ? [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { name: 'calico-node-w', namespace: 'calico-system', labels, creationTimestamp: hourAgo },
            spec: { nodeName: 'w', containers: [{ name: 'calico-node' }] },
            status: {
              phase: 'Running',
              conditions: [{ type: 'Ready', status: 'True' }],
              containerStatuses: [running],
            },
          },
        ]
      : []),
    felix('default', { bpfEnabled: true, ...everywhere }, switchedAt),
    ...(own ? [felix('node.w', own, hourAgo)] : []),
    {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'Installation',
      metadata: { name: 'default' },
      spec: { calicoNetwork: { linuxDataplane: 'BPF' } },
    },
  ];
}

const bpftoolOf = (devices: readonly string[]) =>
  [
    [{ xdp: [], tc: devices.map((devname) => ({ devname, name: 'cali_tc_preambl', id: 1 })) }],
    [{ id: 2, name: 'sd_devices' }],
    [],
  ]
    .map((part) => JSON.stringify(part))
    .join('\n');

function clusterOf(cluster: Cluster): Kube {
  const { log = 'Started.', attached } = cluster;
  return createStore({
    name: 'lab',
    source: 'live',
    version: 'v1.34.0',
    kinds: Object.values(resources),
    objects: objectsOf(cluster),
    pods: {
      logs: async () => log,
      exec: async (_pod, [program]) =>
        program === 'bash' && attached
          ? { exitCode: 0, stdout: bpftoolOf(attached), stderr: '' }
          : { exitCode: 0, stdout: '', stderr: '' },
    },
  });
}

/** What each of the three says about node `w`. */
async function verdictsOn(cluster: Cluster) {
  const kube = clusterOf(cluster);
  return {
    run: await nodeOfTheRun(kube, 'bpf'),
    status: await nodeOfStatus(kube),
    facts: await collectFacts({ kube }),
  };
}

async function nodeOfTheRun(kube: Kube, toward: 'bpf' | 'standard') {
  const node = (await proofFor(kube, toward)).nodes?.find(({ name }) => name === 'w');
  if (!node) throw new Error('the run says nothing of the node');
  return node;
}

async function proofFor(kube: Kube, toward: 'bpf' | 'standard') {
  const signal = new AbortController().signal;
  const get = (name: string, kind: 'daemonSets' | 'felixConfigurations', namespace?: string) =>
    kube.get({ resource: resources[kind], name, ...(namespace ? { namespace } : {}) }, { signal });
  const daemonSet = await get('calico-node', 'daemonSets', 'calico-system');
  const everywhere = await get('default', 'felixConfigurations');
  if (!daemonSet || !everywhere) throw new Error('the cluster is not whole');
  return proveNodes(toward, daemonSet, everywhere, {
    kube,
    clock,
    signal,
    runStartedAt: now,
    journal: { run: '', entries: [] },
    felixResource: resources.felixConfigurations,
    proofs: new Map(),
    services: null,
    readFacts: () => Promise.reject(new Error('not asked for')),
    recheck: () => Promise.reject(new Error('not asked for')),
  });
}

/** The line for the node once the agent's log has been read, or is known not to be needed. */
async function nodeOfStatus(kube: Kube): Promise<NodeLine> {
  const stop = new AbortController();
  const pace: Clock = { ...clock, sleep: (_, signal) => new Promise((resolve) => setTimeout(resolve, 1, signal)) };
  let line: NodeLine | undefined;
  for await (const change of watchCluster({ kube, clock, pace, journalNamespaces, signal: stop.signal })) {
    const lines =
      change.kind === 'whole' ? change.picture.nodes : change.kind === 'changed' ? change.nodes?.changed : [];
    line = lines?.find(({ name }) => name === 'w') ?? line;
    if (line && !/not been read/.test(line.because)) stop.abort();
  }
  if (!line) throw new Error('status says nothing of the node');
  return line;
}

/** The agent started an hour ago, logs at Info, and has said nothing of eBPF. */
const info = '2026-11-21 05:00:00.500 [INFO][71] felix/daemon.go 373: Felix starting up';
const enabled =
  '2026-11-21 05:00:01.500 [INFO][71] felix/x.go 642: BPF enabled, starting BPF endpoint manager and map manager.';

/** It started again after the switch was written at 05:50. */
const restarted = '2026-11-21 05:50:04.500 [INFO][71] felix/daemon.go 373: Felix starting up';
const later = `${restarted}\n${enabled.replace('05:00:01', '05:50:05')}`;

test('severity: the environment beats the node’s own FelixConfiguration', async () => {
  const { run, status } = await verdictsOn({
    env: { FELIX_LOGSEVERITYSCREEN: 'Warning' },
    own: { logSeverityScreen: 'Info' },
    log: info,
  });
  expect(run.detail).toContain('at severity Warning');
  expect(status.because).toContain('at severity Warning');
});

test('severity: an empty variable is none, as Felix takes it', async () => {
  const { run, status } = await verdictsOn({
    env: { FELIX_LOGSEVERITYSCREEN: '' },
    everywhere: { logSeverityScreen: 'Warning' },
    log: info,
  });
  expect(run.detail).toContain('at severity Warning');
  expect(status.because).toContain('at severity Warning');
});

test('a node with a virtual kubelet’s taint and no label counts for nobody', async () => {
  const taints = [{ key: 'virtual-kubelet.io/provider', value: 'azure', effect: 'NoSchedule' }];
  const { run, status, facts } = await verdictsOn({ node: { taints }, hasAgent: false });
  expect(facts.nodes[0]).toMatchObject({ virtual: true });
  expect(run).toMatchObject({ state: 'not-counted' });
  expect(status).toMatchObject({ plane: 'not-counted' });
});

test.each([
  ['bpf', 'unknown'],
  ['standard', 'met'],
] as const)('a cluster without a node that counts, on the way to %s: %s', async (toward, kind) => {
  const kube = clusterOf({ node: { operatingSystem: 'windows' }, hasAgent: false });
  expect(await proofFor(kube, toward)).toMatchObject({ kind });
});

test.each([
  ['what its kubelet reports counts before a label that says otherwise', 'linux', 'windows', true],
  ['without a word of its kubelet the label counts', undefined, 'windows', false],
])('a node’s system: %s', async (_what, operatingSystem, label, isCounted) => {
  const node = { labels: { 'kubernetes.io/os': label }, ...(operatingSystem && { operatingSystem }) };
  const { run, status, facts } = await verdictsOn({ node, log: info });
  expect(runsAgent(facts.nodes[0] ?? expect.unreachable())).toBe(isCounted);
  expect(run.state !== 'not-counted').toBe(isCounted);
  expect(status.plane !== 'not-counted').toBe(isCounted);
});

test('eBPF that a node’s own FelixConfiguration turned off is not awaited in silence: both say who has it off', async () => {
  const { run, status } = await verdictsOn({ own: { bpfEnabled: false }, log: info });
  expect(status).toMatchObject({ plane: 'standard' });
  expect(run).toMatchObject({ state: 'waiting', dataplane: 'standard' });
  for (const words of [run.detail, status.because]) expect(words).toContain('FelixConfiguration node.w has eBPF off');
});

test('a node that its own FelixConfiguration switched before all others is proven by what it said then', async () => {
  const { run, status } = await verdictsOn({ own: { bpfEnabled: true }, log: `${info}\n${enabled}` });
  expect(status).toMatchObject({ plane: 'bpf' });
  expect(run).toMatchObject({ state: 'proven', dataplane: 'bpf' });
});

test.each([
  ['a log that says so, and programs that are attached', `${info}\n${later}`, ['eth0'], 'proven'],
  ['a log that says so, and nothing that is attached: it lies', `${info}\n${later}`, [], 'unknown'],
  ['a log that says nothing, and programs on no interface but those of pods', info, ['cali0a'], 'unknown'],
])('on the way to eBPF: %s', async (_what, log, attached, state) => {
  expect(await nodeOfTheRun(clusterOf({ log, attached }), 'bpf')).toMatchObject({ state });
});

test.each([
  ['a log that says so, and nothing that is attached', restarted, [], 'proven'],
  ['a log that says so, and programs that are left', restarted, ['eth0'], 'unknown'],
  ['a log that cannot tell, and nothing that is attached', '', [], 'proven'],
])('on the way back: %s', async (_what, log, attached, state) => {
  const kube = clusterOf({ log, attached, everywhere: { bpfEnabled: false } });
  expect(await nodeOfTheRun(kube, 'standard')).toMatchObject({ state });
});

test('where FelixConfigurations may not be listed, the one that was read still says what is wanted', async () => {
  const kube = clusterOf({ log: info });
  const list: Kube['list'] = (resource, options) => {
    if (resource.plural === 'felixconfigurations') throw new KubeError('forbidden', 'no right to list');
    return kube.list(resource, options);
  };
  expect(await nodeOfTheRun({ ...kube, list }, 'bpf')).toMatchObject({ state: 'unknown', dataplane: null });
});
