import { expect, test } from 'vitest';
import { createStore, instantClock, KubeError, type KubeObject, type Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { heldBy } from './holder.ts';
import { probeNames } from './objects/probe-names.ts';
import { probeObjects } from './objects/probe-objects.ts';
import { resourceOf } from './own-namespace.ts';
import { leftBy, type ProbeOptions, runProbe } from './run-probe.ts';

const endpoint = { host: '10.0.0.100', port: '6443' };
const nodes = ['w1', 'w2'].map((name, index) => ({
  name,
  distribution: { id: 'ubuntu' },
  architecture: 'amd64',
  address: `10.0.0.1${index + 1}`,
}));

const line = (probe: string, fields: object = {}) => JSON.stringify({ v: 1, probe, ...fields });
const features = [
  'sched_cls',
  'cgroup_sock_addr',
  'hash',
  'lru_hash',
  'lpm_trie',
  'prog_array',
  'percpu_array',
  'percpu_hash',
];
const isFine = { known: true, mounted: true };

/** The script's output on a healthy node. */
const fineLog = (node: string) => {
  const own = nodes.find(({ name }) => name === node)?.address;
  const peer = nodes.find(({ name }) => name !== node)?.address;
  return [
    line('node', { boot: `boot-of-${node}`, kernel: '6.8.0-45-generic' }),
    line('endpoint', { ...endpoint, ok: true, ms: 3 }),
    line('mounts', { bpffs: isFine, cgroup: { ...isFine, writable: true, path: '/run/calico/cgroup' } }),
    line('link', { data: [{ ifname: 'eth0', mtu: 1500, addr_info: [{ local: own }] }] }),
    line('features', { exit: 0, jit: 1, btf: true, available: features, missing: [] }),
    line('proxy', { processes: [], rules: false, ipvs: false, healthPort: null }),
    line('measured'),
    line('vxlan-sending', { tunnels: 1 }),
    line('vxlan', { peer, arrives: 'full' }),
    line('vxlan-answer', { peer, sums: 'offloaded' }),
  ].join('\n');
};

const scc =
  'pods "signalbox-probe-" is forbidden: unable to validate against any security context constraint: [provider "restricted-v2": Forbidden: not usable by user or serviceaccount]';

/** The event of a DaemonSet whose pods the API server refuses. */
function refusal({ metadata: { name = '', uid = '' } }: KubeObject, message: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.1`, namespace: probeNames.namespace },
    involvedObject: { apiVersion: 'apps/v1', kind: 'DaemonSet', name, namespace: probeNames.namespace, uid },
    type: 'Warning',
    reason: 'FailedCreate',
    message: `Error creating: ${message}`,
    lastTimestamp: '2026-11-23T10:00:00Z',
  };
}

/** A cluster whose DaemonSet controller creates a pod on each node as soon as there is a DaemonSet. */
function aCluster({
  log = fineLog,
  pulls = () => true,
  makes = () => true,
  refuses = () => true,
  refusalWords = scc,
  madeAt,
  schedules = true,
}: {
  log?: (node: string) => string;
  pulls?: (node: string) => boolean;
  /** Whether the API server accepts the pod of a node. */
  makes?: (node: string) => boolean;
  /** Whether the DaemonSet of this node gets an event with the reason. */
  refuses?: (node: string) => boolean;
  refusalWords?: string;
  /** The creation time of pods; the refusal is from 10:00. */
  madeAt?: string;
  schedules?: boolean;
} = {}) {
  const clock = instantClock();
  const kube: Store = createStore({
    name: 'test',
    source: 'live',
    clock,
    pods: { logs: async ({ name }) => log(name.split('.')[1] ?? '') },
  });
  kube.onChange(({ object, type }) => {
    if (object.kind !== 'DaemonSet' || type !== 'added') return;
    const only = JSON.stringify(object.spec).match(/(?<="metadata.name","operator":"In","values":\[")[^"]+/g);
    const its = nodes.filter(({ name }) => only?.includes(name) ?? true);
    const made = its.filter(({ name }) => makes(name));
    kube.load(made.map(({ name }) => aPod(object, name, { isUp: pulls(name), madeAt, schedules })));
    if (made.length < its.length && its.some(({ name }) => refuses(name))) kube.load([refusal(object, refusalWords)]);
  });
  // Simulates the namespace controller.
  kube.onChange(({ object }) => {
    if (object.kind !== 'Namespace' || !object.metadata.deletionTimestamp) return;
    queueMicrotask(() => {
      const isIn = ({ metadata }: KubeObject) => [metadata.namespace, metadata.name].includes(probeNames.namespace);
      const all = kube.snapshot();
      kube.restore({ ...all, objects: all.objects.filter((one) => !isIn(one)) });
    });
  });
  const options: ProbeOptions = {
    kube,
    clock,
    question: { nodes, endpoint, interfacePattern: null, release: 'v3.31.4' },
    settings: {
      run: 300,
      image: 'quay.io/calico/node:v3.31.4',
      endpoint,
      addresses: nodes.map(({ address }) => address),
      vxlanPort: 4789,
      cgroupFolder: '/run/calico/cgroup',
      nodeSelector: {},
      podNetwork: 'not-yet',
    },
    holder: { id: 'here/1@1/a', isDead: async () => false },
    afterwards: 'removed',
    patienceMs: 60_000,
    signal: new AbortController().signal,
  };
  return { kube, options };
}

type SomePod = { isUp: boolean; madeAt: string | undefined; schedules: boolean };

function aPod({ metadata }: KubeObject, node: string, { isUp, madeAt, schedules }: SomePod): KubeObject {
  const { name: daemonSet = '', uid = '' } = metadata;
  const state = isUp ? { running: {} } : { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${daemonSet}.${node}`,
      ...(madeAt ? { creationTimestamp: madeAt } : {}),
      namespace: probeNames.namespace,
      labels: { 'app.kubernetes.io/name': daemonSet },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet, uid, controller: true }],
    },
    spec: { ...(schedules && { nodeName: node }), containers: [{ name: probeNames.containers.host, image: 'x' }] },
    status: { phase: 'Running', containerStatuses: [{ name: probeNames.containers.host, ready: isUp, state }] },
  };
}

const namespaceOf = (kube: Store) => kube.get({ resource: resources.namespaces, name: probeNames.namespace });
const tellings = (measured: Awaited<ReturnType<typeof runProbe>>, kind: 'failed' | 'not-run') =>
  measured.nodes.flatMap(({ node, tests }) =>
    Object.entries(tests).flatMap(([id, one]) => (one.kind === kind ? [`${node} ${id}: ${one.because}`] : [])),
  );

test("the nodes' answers are judged, and every object is removed", async () => {
  const { kube, options } = aCluster();
  const probed = await runProbe(options);
  expect(tellings(probed, 'failed')).toEqual([]);
  expect(tellings(probed, 'not-run')).toEqual(
    ['w1', 'w2'].map((node) => `${node} endpoint-from-pod: there is no pod network yet`),
  );
  expect(probed.boots).toEqual({ w1: 'boot-of-w1', w2: 'boot-of-w2' });
  expect(await namespaceOf(kube)).toBeNull();
});

test('with DSR it waits for what is sent with the address of another node, which comes last', async () => {
  const reads = new Map<string, number>();
  const addressOf = (node: string) => nodes.find(({ name }) => name === node)?.address;
  const { options } = aCluster({
    log: (node) => {
      const read = (reads.get(node) ?? 0) + 1;
      reads.set(node, read);
      const other = node === 'w1' ? 'w2' : 'w1';
      const sending = line('dsr-sending', { peer: addressOf(other), as: '10.0.0.9' });
      const heard = line('dsr', { peer: addressOf(other) });
      const listening = line('dsr-listening', { peers: [addressOf(other)] });
      return [
        fineLog(node),
        listening,
        ...(read > 1 ? [sending] : []),
        ...(read > 2 && node === 'w2' ? [heard] : []),
      ].join('\n');
    },
  });
  const dsr = { question: { ...options.question, dsr: true }, settings: { ...options.settings, dsr: true } };
  const { nodes: measured } = await runProbe({ ...options, ...dsr });
  expect(measured.map(({ tests }) => tests['foreign-source'])).toEqual([
    { kind: 'passed' },
    { kind: 'failed', because: 'what it sends with the address 10.0.0.9 does not arrive at w1' },
  ]);
});

/** Probes two nodes that each send every `everyMs`; packets arrive after `arrivesMs`. Resolves with the failures and the elapsed time. */
async function probedWith({ everyMs, arrivesMs }: { everyMs: number; arrivesMs: number }) {
  const { options } = aCluster({
    log: (node) => {
      const sentMs = clock.monotonic() - begun;
      const rounds = Array.from({ length: Math.floor(sentMs / everyMs / 10) }, (_, tens) =>
        line('vxlan-rounds', { rounds: 10 * (tens + 1) }),
      );
      const isHeard = (output: string) => !/"vxlan(-answer)?"/.test(output) || sentMs >= arrivesMs;
      return [...fineLog(node).split('\n').filter(isHeard), ...rounds].join('\n');
    },
  });
  const { clock } = options;
  const begun = clock.monotonic();
  const failed = tellings(await runProbe({ ...options, patienceMs: 300_000 }), 'failed');
  return { failed, took: clock.monotonic() - begun };
}

test('packets of busy nodes are waited for until each has tried often enough', async () => {
  const { failed, took } = await probedWith({ everyMs: 1_500, arrivesMs: 28_000 });
  expect(failed).toEqual([]);
  expect(took).toBeLessThan(35_000);
});

test.each([
  ['nodes that try all the time', 300, 10_000],
  ['nodes that try every two seconds', 2_000, 40_000],
  ['nodes that hardly come to it', 100_000, 60_000],
])('a path on which nothing arrives is told in time between %s', async (_, everyMs, afterMs) => {
  const { failed, took } = await probedWith({ everyMs, arrivesMs: Number.POSITIVE_INFINITY });
  expect(failed).toContainEqual(expect.stringContaining(' vxlan: '));
  expect([took >= afterMs, took < afterMs + 15_000]).toEqual([true, true]);
});

test('an image that cannot be pulled keeps its node unmeasured, with the reason', async () => {
  const { options } = aCluster({ pulls: (node) => node === 'w1' });
  const notRun = tellings(await runProbe(options), 'not-run').filter((one) => one.startsWith('w2 mounts'));
  expect(notRun).toEqual(['w2 mounts: its test pod does not start: container probe: ImagePullBackOff, no such image']);
});

test('pods that may not be made are told with the words of whoever refuses them, long before nodes have no more time', async () => {
  const { options } = aCluster({ makes: () => false });
  const begun = options.clock.monotonic();
  const notRun = tellings(await runProbe(options), 'not-run');
  expect(notRun).toContain(`w2 mounts: its test pod is refused: ${scc}`);
  expect(options.clock.monotonic() - begun).toBeLessThan(15_000);
});

test('a quota that leaves room for one node refuses the other alone', async () => {
  const { options } = aCluster({ makes: (node) => node === 'w1', refusalWords: 'exceeded quota: pods, used: pods=1' });
  const notRun = tellings(await runProbe(options), 'not-run').filter((one) => one.includes(' mounts: '));
  expect(notRun).toEqual(['w2 mounts: its test pod is refused: exceeded quota: pods, used: pods=1']);
});

test.each([
  ['5 s later', { madeAt: '2026-11-23T10:00:05Z' }, 'no pod reported from there in time'],
  ['in the same second', { madeAt: '2026-11-23T10:00:00Z' }, 'no pod reported from there in time'],
  [
    'later, and is on no node yet',
    { madeAt: '2026-11-23T10:00:05Z', schedules: false },
    'no pod reported from there in time',
  ],
  ['before', { madeAt: '2026-11-23T09:59:59Z' }, `its test pod is refused: ${scc}`],
])('a refusal where a pod was made %s', async (_when, given, because) => {
  const { options } = aCluster({ makes: (node) => node === 'w1', ...given });
  const notRun = tellings(await runProbe(options), 'not-run').filter((one) => one.startsWith('w2 mounts: '));
  expect(notRun).toEqual([`w2 mounts: ${because}`]);
});

test.each([
  ['whose pod is made later', { makes: (node: string) => node === 'w2', madeAt: '2026-11-23T10:00:05Z' }, []],
  [
    'whose pod is not made yet',
    { makes: () => false, refuses: (node: string) => node === 'w1' },
    ['w2 mounts: no pod reported from there in time'],
  ],
])('a refusal of one group of nodes is none of another, %s', async (_what, given, expectedOther) => {
  const { options } = aCluster(given);
  const groups = {
    partners: { groups: [[0], [1]], bridges: [], missing: 0, others: [] },
    names: nodes.map(({ name }) => name),
  };
  const settings = { ...options.settings, ...groups };
  const question = { ...options.question, partners: groups.partners };
  const probed = await runProbe({ ...options, question, settings });
  const notRun = tellings(probed, 'not-run').filter((one) => one.includes(' mounts: '));
  expect(notRun).toEqual([`w1 mounts: its test pod is refused: ${scc}`, ...expectedOther]);
});

test('the words of an admission webhook are masked, bounded and one line', async () => {
  const refusalWords = `denied\n\u001b[31m password: hunter2hunter2 ${'x'.repeat(100_000)}`;
  const { options } = aCluster({ makes: () => false, refusalWords });
  const [first = ''] = tellings(await runProbe(options), 'not-run').filter((one) => one.includes(' mounts: '));
  expect(first).toContain('its test pod is refused: denied');
  expect(first).not.toMatch(/hunter2|[\n\u001b]/);
  expect(first.length).toBeLessThan(500);
});

test('a node that does not report in time is not measured', async () => {
  const { options } = aCluster({ log: (node) => (node === 'w1' ? fineLog(node) : '') });
  const notRun = tellings(await runProbe(options), 'not-run');
  expect(notRun).toContain('w2 programs: no pod reported from there in time');
  expect(notRun).toContain('w1 vxlan: w2 did not send');
});

test('objects of a killed probe are removed first', async () => {
  const { kube, options } = aCluster();
  await runProbe({ ...options, afterwards: 'kept' });
  const before = (await namespaceOf(kube))?.metadata.uid;
  expect(before).toBeDefined();
  await runProbe({ ...options, afterwards: 'kept' });
  expect((await namespaceOf(kube))?.metadata.uid).not.toBe(before);
});

test.each([1, 2, 3, 4])(
  'killed after %i of its objects were made: the next one removes them and leaves nothing',
  async (made) => {
    const { kube, options } = aCluster();
    const settings = { ...options.settings, podNetwork: 'there', run: 301 } as const;
    for (const object of probeObjects(settings).slice(0, made)) await kube.create(resourceOf(object), object);
    const probed = await runProbe(options);
    expect([tellings(probed, 'failed'), probed.left, await namespaceOf(kube)]).toEqual([[], null, null]);
  },
);

test('a preflight that is at work is left alone by the next one, which names it and its age', async () => {
  const { kube, options } = aCluster({ log: () => '' });
  const first = runProbe(options);
  while ((await namespaceOf(kube)) === null) await options.clock.sleep(1_000);
  const second = runProbe({ ...options, holder: { ...options.holder, id: 'there/2@2/b' } });
  await expect(second).rejects.toThrow(/Another preflight \(here\/1@1\/a\) began \d+ s ago and still tests/);
  const notRun = tellings(await first, 'not-run');
  expect(notRun).toContain('w1 mounts: no pod reported from there in time');
  expect(await namespaceOf(kube)).toBeNull();
});

test('of two that begin at once one tests, and the other is refused', async () => {
  const { kube, options } = aCluster({ log: () => '' });
  const both = ['here/1@1/a', 'there/2@2/b'].map((id) => runProbe({ ...options, holder: { ...options.holder, id } }));
  const ended = (await Promise.allSettled(both)).map((one) =>
    one.status === 'rejected' ? String(one.reason) : 'tested',
  );
  expect(ended.sort()).toEqual([expect.stringMatching(/Another preflight/), 'tested']);
  expect(await namespaceOf(kube)).toBeNull();
});

test.each([
  ['of another machine that was silent for 15 s', false, 15_000],
  ['of a process of this machine that has ended', true, 0],
])('a namespace %s is taken over', async (_whose, dead, afterMs) => {
  const { kube, options } = aCluster();
  const holder = { ...options.holder, id: 'gone/3@3/c' };
  const [namespace] = probeObjects(options.settings);
  const annotations = heldBy(holder, { now: () => Date.parse('2099-01-01') });
  if (namespace)
    await kube.create(resources.namespaces, { ...namespace, metadata: { ...namespace.metadata, annotations } });
  const begun = options.clock.monotonic();
  const probed = await runProbe({ ...options, holder: { ...options.holder, isDead: async () => dead } });
  expect(tellings(probed, 'failed')).toEqual([]);
  const took = options.clock.monotonic() - begun;
  expect([took >= afterMs, took < afterMs + 15_000]).toEqual([true, true]);
});

test("a namespace that is somebody else's is left alone", async () => {
  const { kube, options } = aCluster();
  kube.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: probeNames.namespace } }]);
  await expect(runProbe(options)).rejects.toThrow(/Signalbox did not make/);
  expect(await namespaceOf(kube)).not.toBeNull();
});

test('without the rights nothing is made, and the rule is named', async () => {
  const { kube, options } = aCluster();
  const weak = kube.as({ name: 'weak', rules: [] });
  await expect(runProbe({ ...options, kube: weak })).rejects.toMatchObject({
    code: 'forbidden',
    detail: { rule: { verb: 'create', resource: 'namespaces' } },
  });
  expect(await namespaceOf(kube)).toBeNull();
});

test('a log that told all is not read again while others are waited for', async () => {
  const { kube, options } = aCluster({ log: (node) => (node === 'w1' ? fineLog(node) : '') });
  const read: string[] = [];
  const logs: Store['logs'] = (pod, logOptions) => {
    read.push(pod.name);
    return kube.logs(pod, logOptions);
  };
  await runProbe({ ...options, kube: { ...kube, logs } });
  const times = (node: string) => read.filter((name) => name.endsWith(node)).length;
  expect([times('w1'), times('w2') > 10]).toEqual([1, true]);
});

test('it ends when somebody deletes the namespace meanwhile', async () => {
  const { kube, options } = aCluster({ log: () => '' });
  const progress = () =>
    void kube.delete({ resource: resources.namespaces, name: probeNames.namespace }).catch(() => {});
  await expect(runProbe({ ...options, progress })).rejects.toThrow(/was deleted while/);
});

test('an interruption leaves nothing behind', async () => {
  const { kube, options } = aCluster({ log: () => '' });
  const stop = new AbortController();
  await expect(runProbe({ ...options, signal: stop.signal, progress: () => stop.abort() })).rejects.toThrow();
  expect(await namespaceOf(kube)).toBeNull();
});

test('an interruption after which the namespace cannot be deleted says that it is still there', async () => {
  const { kube, options } = aCluster({ log: () => '' });
  const stop = new AbortController();
  const remove: Store['delete'] = async () => {
    throw new KubeError('unreachable', 'no answer');
  };
  const stopped = { ...options, kube: { ...kube, delete: remove }, signal: stop.signal, progress: () => stop.abort() };
  const error: unknown = await runProbe(stopped).catch((reason: unknown) => reason);
  expect(leftBy(error)).toMatch(/could not be deleted/);
});

const forged = (uid: string): KubeObject => {
  const pod = aPod({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: probeNames.host, uid } }, 'w2', {
    isUp: true,
    madeAt: undefined,
    schedules: true,
  });
  return { ...pod, metadata: { ...pod.metadata, name: `forged.w2` } };
};

test('a pod that no DaemonSet of the probe made says nothing of its node', async () => {
  const { kube, options } = aCluster({ pulls: (node) => node === 'w1' });
  const progress = () => kube.load([forged('of-another')]);
  const notRun = tellings(await runProbe({ ...options, progress }), 'not-run');
  expect(notRun).toContain('w2 mounts: its test pod does not start: container probe: ImagePullBackOff, no such image');
});

test('of a node with two test pods neither is believed', async () => {
  const { kube, options } = aCluster();
  kube.onChange(({ object, type }) => {
    if (object.kind === 'DaemonSet' && type === 'added') kube.load([forged(object.metadata.uid ?? '')]);
  });
  const notRun = tellings(await runProbe(options), 'not-run');
  expect(notRun).toContain('w2 mounts: it has two test pods, and one of them is not a test pod');
});

test('a namespace whose making was interrupted after the server took it goes too', async () => {
  const { kube, options } = aCluster();
  const create: Store['create'] = async (...request) => {
    await kube.create(...request);
    throw new KubeError('aborted', 'interrupted');
  };
  await expect(runProbe({ ...options, kube: { ...kube, create } })).rejects.toThrow('interrupted');
  expect(await namespaceOf(kube)).toBeNull();
});

const others = ['quay.io/calico/cni:v3.31.4', 'quay.io/calico/typha:v3.31.4'];
const states = (reasons: readonly string[]) =>
  reasons.map((reason, index) => ({ name: `image-${index}`, state: { waiting: { reason, message: 'said so' } } }));

test.each<[string, string[], object]>([
  ['pulled, and without the program', ['CreateContainerError', 'RunContainerError'], { kind: 'passed' }],
  ['one is refused', ['CrashLoopBackOff', 'ErrImagePull'], { kind: 'failed', because: `${others[1]}: said so` }],
  ['one is on its way for too long', ['CrashLoopBackOff', 'ContainerCreating'], { kind: 'not-run' }],
])('images that the plan brings are pulled and never run: %s', async (_what, reasons, outcome) => {
  const { kube, options } = aCluster();
  kube.onChange(({ object, type }) => {
    if (object.kind !== 'Pod' || type !== 'added' || !object.metadata.name?.startsWith(`${probeNames.images}.`)) return;
    if (object.metadata.labels?.seen) return;
    const status = { phase: 'Pending', containerStatuses: states(reasons) };
    kube.load([{ ...object, metadata: { ...object.metadata, labels: { seen: 'yes' } }, status }]);
  });
  const { nodes: measured } = await runProbe({ ...options, settings: { ...options.settings, images: others } });
  expect(measured.map(({ tests }) => tests.images)).toEqual(nodes.map(() => expect.objectContaining(outcome)));
});

test('Secrets that pulling needs are copied by name, and go with the namespace', async () => {
  const { kube, options } = aCluster();
  const from = { namespace: 'tigera-operator', name: 'mirror' };
  const type = 'kubernetes.io/dockerconfigjson';
  kube.load([{ apiVersion: 'v1', kind: 'Secret', metadata: from, type, data: { '.dockerconfigjson': 'e30=' } }]);
  const copy = { resource: resources.secrets, namespace: probeNames.namespace, name: 'mirror' };
  let seen: KubeObject | null = null;
  const progress = () => void kube.get(copy).then((found) => (seen ??= found));
  await runProbe({ ...options, settings: { ...options.settings, pullSecrets: [from] }, progress });
  expect(seen).toMatchObject({ type, data: { '.dockerconfigjson': 'e30=' } });
  expect(await kube.get(copy)).toBeNull();
});
