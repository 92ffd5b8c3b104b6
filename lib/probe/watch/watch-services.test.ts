import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from 'vitest';
import { createStore, instantClock, type KubeObject, type Store } from '#lib/kube/index.ts';
import { agentDaemonSets, names, resources } from '#lib/spec/index.ts';
import { watchScript } from '../scripts/scripts.ts';
import { parseWatchLines } from './watch-line.ts';
import { watchEnvironment, watchNames, watchObjects } from './watch-objects.ts';
import { watchedServices } from './watch-services.ts';

const { signal } = new AbortController();
const clock = instantClock();
let logs: Record<string, string>;
let kube: Store;

beforeEach(() => {
  logs = {};
  kube = createStore({
    name: 'test',
    source: 'live',
    clock,
    pods: { logs: async ({ name }) => logs[name] ?? '' },
  });
  kube.onChange(({ object, type }) => {
    if (object.kind === 'DaemonSet' && type === 'added' && object.metadata.name === watchNames.daemonSet)
      kube.load([aPod(object, 'w1', 'one'), aPod(object, 'w2', 'two')]);
  });
  // Simulates the namespace controller.
  kube.onChange(({ object }) => {
    if (object.kind !== 'Namespace' || !object.metadata.deletionTimestamp) return;
    queueMicrotask(() => {
      const all = kube.snapshot();
      const isIn = ({ metadata }: KubeObject) => [metadata.namespace, metadata.name].includes(watchNames.namespace);
      kube.restore({ ...all, objects: all.objects.filter((one) => !isIn(one)) });
    });
  });
  const agent = {
    containers: [{ name: names.nodeContainer, image: 'quay.io/calico/node:v3.31.4' }],
    imagePullSecrets: [{ name: 'mirror' }, { name: 'gone' }],
  };
  kube.load([
    ...['w1', 'w2'].map((name) => aNode(name, 'linux', 'linux')),
    {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: names.nodeDaemonSet, namespace: names.calicoNamespace },
      spec: { selector: { matchLabels: {} }, template: { metadata: {}, spec: agent } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kubernetes', namespace: 'default' },
      spec: { clusterIP: '10.96.0.1', ports: [{ name: 'https', port: 443, protocol: 'TCP' }] },
    },
  ]);
});

function aNode(name: string, label: string, reported: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/os': label } },
    spec: {},
    status: { nodeInfo: { operatingSystem: reported } },
  };
}

function aPod({ metadata: { name = '', uid = '' } }: KubeObject, node: string, pod: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: pod,
      namespace: watchNames.namespace,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid, controller: true }],
    },
    spec: { nodeName: node, containers: [{ name: watchNames.container, image: 'x' }] },
    status: {
      phase: 'Pending',
      containerStatuses: [
        {
          name: watchNames.container,
          ready: false,
          restartCount: 0,
          image: 'x',
          imageID: '',
          state: { waiting: { reason: 'ImagePullBackOff', message: 'no such image' } },
        },
      ],
    },
  };
}

/** The node's clock is wrong by years. */
const begin = (up: number, boot = 'x') =>
  JSON.stringify({ v: 1, watch: 'begin', up, wall: 1e12 + up, boot, interval: 50, kinds: ['api'] });
const second = (n: number, up: number, gaps: object[] = []) =>
  JSON.stringify({
    v: 1,
    watch: 'second',
    n,
    up,
    wall: 1e12 + up,
    kinds: { api: [20, 20, 0, 0, 0] },
    gaps,
    restarted: [],
  });
const watching = () => watchedServices(kube, clock).watch({ signal });
const namespaceThere = async () =>
  (await kube.get({ resource: resources.namespaces, name: watchNames.namespace })) !== null;

test('what each node tells is read once, though its log is read again and again', async () => {
  const watch = await watching();
  expect(watch).toMatchObject({ intervalMs: 50, nodes: ['w1', 'w2'], of: 2 });
  logs.one = [begin(5_000), second(1, 6_000), second(2, 7_000, [{ kind: 'api', at: 6_100, ms: 300 }])].join('\n');
  const readings = await watch.read({ signal });
  const now = clock.now();
  expect(readings.map(({ node, at, spanMs }) => [node, at - now, spanMs])).toEqual([
    ['w1', -1_000, 1_000],
    ['w1', 0, 1_000],
  ]);
  expect(readings[1]?.gaps).toEqual([{ kind: 'api', at: now - 900, ms: 300 }]);
  logs.one += `\n${second(3, 8_000)}`;
  expect((await watch.read({ signal })).map(({ at }) => at - now)).toEqual([1_000]);
});

test('a node that starts again in the middle is heard on', async () => {
  const watch = await watching();
  logs.one = [begin(50_000), second(1, 51_000)].join('\n');
  await watch.read({ signal });
  await clock.sleep(60_000);
  logs.one = [begin(5_000, 'y'), second(1, 6_000)].join('\n');
  expect((await watch.read({ signal })).map(({ at }) => at)).toEqual([clock.now()]);
});

test('nodes that cannot be asked are not waited for: virtual ones, and those that are not ready', async () => {
  const notReady = { conditions: [{ type: 'Ready', status: 'Unknown' }] };
  const linux = { 'kubernetes.io/os': 'linux' };
  const fargate = { ...linux, 'eks.amazonaws.com/compute-type': 'fargate' };
  kube.load([
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w3', labels: linux }, spec: {}, status: notReady },
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w4', labels: fargate }, spec: {}, status: {} },
  ]);
  expect(await watching()).toMatchObject({ nodes: ['w1', 'w2'], of: 3 });
  const made = kube
    .snapshot()
    .objects.find(({ kind, metadata }) => kind === 'DaemonSet' && metadata.name === watchNames.daemonSet);
  expect(JSON.stringify(made)).toContain('"values":["w2"]');
});

test('it is pulled with the Secrets of the agent, and the fault of a pod that does not start is told', async () => {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': 'e30=' },
  };
  kube.load([{ ...secret, metadata: { name: 'mirror', namespace: names.calicoNamespace } }]);
  const watch = await watching();
  expect(
    await kube.get({ resource: resources.secrets, namespace: watchNames.namespace, name: 'mirror' }),
  ).toMatchObject(secret);
  await watch.read({ signal });
  expect(watch.faults?.().get('w2')).toBe(
    'its pod has not started: container services: ImagePullBackOff, no such image',
  );
});

test.each<[string, string | null, string]>([
  ['its pods are', null, 'its pod is refused: exceeded quota: pods'],
  ['a pod was made since', '2026-11-23T10:00:00Z', 'it has no pod that asks'],
])('pods that are refused are told once that has lasted, where %s', async (_what, creationTimestamp, expected) => {
  const watch = await watching();
  const { objects } = kube.snapshot();
  const { metadata } =
    objects.find(({ kind, metadata: { name } }) => kind === 'DaemonSet' && name === watchNames.daemonSet) ?? {};
  const own = { resource: resources.pods, namespace: watchNames.namespace };
  for (const name of ['one', 'two']) await kube.delete({ ...own, name });
  const ref = { namespace: watchNames.namespace, name: 'refused' };
  const refusal = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: ref,
    involvedObject: { kind: 'DaemonSet', uid: metadata?.uid },
    reason: 'FailedCreate',
    message: 'Error creating: exceeded quota: pods',
    lastTimestamp: '2026-11-23T10:00:00Z',
  };
  kube.load([refusal]);
  if (creationTimestamp !== null && metadata !== undefined) {
    const pod = aPod({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata }, 'w1', 'three');
    kube.load([{ ...pod, metadata: { ...pod.metadata, creationTimestamp } }]);
  }
  await watch.read({ signal });
  expect(watch.faults?.().get('w2')).toBe('it has no pod that asks');
  await clock.sleep(10_000);
  await watch.read({ signal });
  expect(watch.faults?.().get('w2')).toBe(expected);
});

test('a second of which a line is missing is told as not told', async () => {
  const watch = await watching();
  logs.two = [begin(5_000), second(1, 6_000), second(9, 14_000)].join('\n');
  expect((await watch.read({ signal })).map(({ spanMs }) => spanMs)).toEqual([1_000, 1_000]);
});

test('it is gone at the end, and one that a killed process left goes with the next', async () => {
  await watching();
  const watch = await watching();
  expect(await namespaceThere()).toBe(true);
  expect(await watch.end()).toBeNull();
  expect(await namespaceThere()).toBe(false);
});

test('what a killed process left can be taken away without a watch', async () => {
  await watching();
  const { sweep } = watchedServices(kube, clock);
  await sweep({ signal, isLeft: async () => false });
  expect(await namespaceThere()).toBe(true);
  await sweep({ signal, isLeft: async () => true });
  expect(await namespaceThere()).toBe(false);
});

test('somebody who deletes the namespace is told of', async () => {
  const watch = await watching();
  await kube.delete({ resource: resources.namespaces, name: watchNames.namespace });
  await expect(watch.read({ signal })).rejects.toThrow('Namespace signalbox-services was deleted');
});

test('without the rights nothing is made, and the one that is missing is said', async () => {
  const user = kube.as({ name: 'reader', rules: [{ verbs: ['get', 'list'], groups: ['*'], resources: ['*'] }] });
  await expect(watchedServices(user, clock).watch({ signal })).rejects.toThrow('You may not create namespaces');
  expect(await namespaceThere()).toBe(false);
});

test.each(agentDaemonSets)('the image is that of the agents of $namespace/$name', async ({ namespace, name }) => {
  const usual = { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet };
  const agents = await kube.get(usual);
  await kube.delete(usual);
  kube.load([{ ...(agents ?? expect.unreachable()), metadata: { namespace, name } }]);
  await watching();
  const ref = { resource: resources.daemonSets, namespace: watchNames.namespace, name: watchNames.daemonSet };
  expect(JSON.stringify(await kube.get(ref))).toContain('quay.io/calico/node:v3.31.4');
});

test('where no agent runs there is no image to ask with', async () => {
  await kube.delete({
    resource: resources.daemonSets,
    namespace: names.calicoNamespace,
    name: names.nodeDaemonSet,
  });
  await expect(watching()).rejects.toThrow("The agent's image is not known.");
  // Unless nodes were tested in an image, as before an install over another CNI.
  const tested = 'mirror.example.com/calico/node:v3.31.4';
  await watchedServices(kube, clock, async () => tested).watch({ signal });
  const ref = { resource: resources.daemonSets, namespace: watchNames.namespace, name: watchNames.daemonSet };
  expect(JSON.stringify(await kube.get(ref))).toContain(tested);
});

/** Where its pods may run: by the label, or on nodes by name. */
async function podSelection(): Promise<{ byLabel: boolean; named: string[] }> {
  const ref = { resource: resources.daemonSets, namespace: watchNames.namespace, name: watchNames.daemonSet };
  const text = JSON.stringify(await kube.get(ref));
  return {
    byLabel: text.includes('"nodeSelector":{"kubernetes.io/os":"linux"}'),
    named: [...text.matchAll(/"key":"metadata.name","operator":"In","values":\["(\w+)"\]/g)].map(
      ([, name = '']) => name,
    ),
  };
}

test('pods are placed by the label where it names the nodes that are asked, and no others', async () => {
  await watching();
  expect(await podSelection()).toEqual({ byLabel: true, named: [] });
});

test.each<[string, KubeObject[], string[]]>([
  ['one that runs Linux and is labelled windows', [aNode('w3', 'windows', 'linux')], ['w1', 'w2', 'w3']],
  ['one that runs Windows and is labelled linux', [aNode('w3', 'linux', 'windows')], ['w1', 'w2']],
  ['one of each', [aNode('w3', 'windows', 'linux'), aNode('w4', 'linux', 'windows')], ['w1', 'w2', 'w3']],
])(
  'beside %s, nodes that are asked are named: each has a pod, whatever its label says',
  async (_which, others, chosen) => {
    kube.load(others);
    expect(await watching()).toMatchObject({ nodes: chosen });
    expect(await podSelection()).toEqual({ byLabel: false, named: chosen });
  },
);

test.each([
  ['10.96.0.7', '192.0.2.1 -'],
  ['fd00:10:96::7', '2001:db8::1 2001:db8::2'],
])('a node port of a Service with %s is asked at addresses of its family', async (clusterIP, expected) => {
  const addresses = { w1: ['192.0.2.1', '2001:db8::1'], w2: ['2001:db8::2'] };
  for (const [name, ips] of Object.entries(addresses)) {
    const node = aNode(name, 'linux', 'linux');
    const written = ips.map((address) => ({ type: 'InternalIP', address }));
    kube.load([{ ...node, status: { ...Object(node.status), addresses: written } }]);
  }
  kube.load([
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort: 30_080, protocol: 'TCP' }] },
    },
  ]);
  await watching();
  const ref = { resource: resources.daemonSets, namespace: watchNames.namespace, name: watchNames.daemonSet };
  const text = JSON.stringify(await kube.get(ref));
  expect(text).toContain('{"name":"NODE_PORT","value":"30080"}');
  expect(text).toContain(`{"name":"ADDRESSES","value":"${expected}"}`);
});

test('of a sample each node is named, and none of its pods has a right', () => {
  const settings = {
    image: 'x',
    intervalMs: 250,
    api: { host: '10.96.0.1', port: 443 },
    dns: null,
    nodePort: null,
    nodes: [{ name: 'w1', address: null }],
  };
  const [, account, daemonSet] = watchObjects({ ...settings, asking: 'sample' });
  expect(account).toMatchObject({ automountServiceAccountToken: false });
  expect(JSON.stringify(daemonSet)).toContain(
    '"matchFields":[{"key":"metadata.name","operator":"In","values":["w1"]}]',
  );
  expect(JSON.stringify(daemonSet)).toContain('"capabilities":{"drop":["ALL"]}');
  expect(JSON.stringify(daemonSet)).not.toContain('"privileged":true');
});

test.each<[string, string]>([
  ['no JSON', 'bash: connect: Connection refused'],
  ['half a line', '{"v":1,"watch":"sec'],
  ['another version', second(1, 6_000).replace('"v":1', '"v":2')],
  ['ten megabytes', second(1, 6_000).replace('"restarted":[]', `"restarted":["${'x'.repeat(10_000_000)}"]`)],
  ['a kind that nobody asks', second(1, 6_000).replaceAll('api', '\\u001b[31m')],
  ['a time before the first', second(1, -1)],
  ['more tries than there can be', second(1, 6_000).replace('[20,20', '[99999999999,20')],
])('%s is passed over, and the rest is read', (_what, line) => {
  expect(parseWatchLines(`${line}\n${second(2, 7_000)}`)).toHaveLength(1);
});

/** Answers of one service by the start of their request, in ms; `-`: no output about it. */
type Answers = readonly (readonly [number, 0 | 1 | '-'])[];
const every = (from: number, to: number, answer: 0 | '-') =>
  Array.from({ length: (to - from) / 100 }, (_, index) => [from + 100 * index, answer] as const);

/** The lines that the script's functions print for them, one per second. */
function gapsPrinted(answers: Answers) {
  const [functions = '', rest] = watchScript.split('\nread -r host port <<<"$API"');
  expect(rest).toBeDefined();
  const last = Math.max(...answers.map(([at]) => at)) + 1_000;
  const seconds = Array.from({ length: Math.ceil(last / 1_000) }, (_, n) => [1_000 * (n + 1) + 50, null] as const);
  const calls = [...answers, ...seconds]
    .toSorted(([one], [other]) => one - other)
    .map(([at, answer]) => (answer === null ? `ms=${at}; tell_second` : `ms=${at + 40}; note 0 ${answer} 0 ${at}`));
  const begin = [functions, 'number=0 ms=0', 'watches api ask_tcp x 1', 'clear_counts'];
  const env = watchEnvironment({
    image: 'x',
    intervalMs: 50,
    api: { host: '10.96.0.1', port: 443 },
    dns: null,
    nodePort: null,
    nodes: [],
    asking: 'all',
  });
  const log = execFileSync('bash', ['--norc', '-c', [...begin, ...calls].join('\n')], {
    encoding: 'utf8',
    env: { ...env, PATH: '/usr/bin:/bin' },
  });
  const lines = parseWatchLines(log).flatMap((line) => (line.watch === 'second' ? [line] : []));
  expect(lines).toHaveLength(seconds.length);
  return {
    gaps: lines.flatMap(({ gaps }) => gaps.map(({ at, ms }) => [at, ms])),
    longestOpen: Math.max(...lines.map(({ kinds }) => kinds.api?.[4] ?? 0)),
  };
}

test.each<[string, Answers, ReturnType<typeof gapsPrinted>]>([
  [
    'one lost packet',
    [
      [100, 0],
      [200, 1],
    ],
    { gaps: [], longestOpen: 0 },
  ],
  ['two seconds without answers', [...every(500, 2_500, 0), [2_500, 1]], { gaps: [[500, 2_000]], longestOpen: 1_500 }],
  [
    'the same, where every other question was asked too late',
    [...every(500, 2_500, 0).map(([at], index) => [at, index % 2 ? '-' : 0] as const), [2_500, 1]],
    { gaps: [[500, 2_000]], longestOpen: 1_400 },
  ],
  [
    'one lost packet, 20 s without a core, and one more lost packet',
    [[500, 0], ...every(600, 20_600, '-'), [20_600, 0], [20_700, 1]],
    { gaps: [], longestOpen: 0 },
  ],
  [
    'half a second without answers, and 20 s without a core',
    [...every(500, 1_000, 0), ...every(1_000, 21_000, '-'), [21_000, 1]],
    { gaps: [[500, 400]], longestOpen: 400 },
  ],
  [
    'the same, and no answer after it either',
    [...every(500, 1_000, 0), ...every(1_000, 21_000, '-'), ...every(21_000, 21_500, 0), [21_500, 1]],
    {
      gaps: [
        [500, 400],
        [21_000, 500],
      ],
      longestOpen: 400,
    },
  ],
  ['answers that are missing for 20 s', every(500, 20_500, 0), { gaps: [], longestOpen: 19_900 }],
])('a gap is told over no time that nothing is known of: %s', (_what, answers, expected) => {
  expect(gapsPrinted(answers)).toEqual(expected);
});
