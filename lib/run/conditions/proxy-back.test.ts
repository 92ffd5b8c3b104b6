import { expect, test } from 'vitest';
import { aFacts, aNode } from '#lib/checks/testing/a-facts.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { proxyBack } from './proxy-back.ts';

const kubeProxy = { resource: resources.daemonSets, namespace: 'kube-system', name: 'kube-proxy' };
const startedAt = '2026-11-21T05:00:00Z';
const rules = ':KUBE-SVC-ERIFXISQEP7F7OF4 - [0:0]';

function mirrorOn(node: string, annotations: Record<string, string> = { 'kubernetes.io/config.mirror': 'a' }) {
  const running = { name: 'kube-proxy', ready: true, restartCount: 0, state: { running: { startedAt } } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'kube-system', name: `kube-proxy-${node}`, annotations, creationTimestamp: startedAt },
    spec: { nodeName: node, containers: [{ name: 'kube-proxy' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: [running] },
  } satisfies KubeObject;
}

type Cluster = {
  nodes: readonly string[];
  pods: readonly KubeObject[];
  /** What `iptables-save`, or this command in its place, prints on each node. Others print nothing. */
  says?: Readonly<Record<string, string>>;
  by?: string;
  /** Called at the beginning of each command; what it returns is called at its end. */
  onExec?: () => () => void;
  proxy?: Partial<Facts['proxy']>;
  daemonSet?: KubeObject;
};

function look({ nodes, pods, says = {}, by = 'iptables-save -t nat', proxy = {}, daemonSet, onExec }: Cluster) {
  const facts = aFacts({
    nodes: nodes.map((name) => aNode({ name })),
    proxy: { kind: 'static-pods', running: true, ...proxy },
  });
  const page = (items: readonly KubeObject[]) =>
    (async function* () {
      yield { items: [...items], resourceVersion: '1', remaining: null };
    })();
  const kube: Pick<Kube, 'get' | 'list' | 'listMetadata' | 'exec' | 'podGet'> = {
    get: async () => daemonSet ?? null,
    list: () => page(pods),
    listMetadata: () => page([]),
    exec: async ({ name, container }, command) => {
      if (container !== 'kube-proxy') return { exitCode: 126, stdout: '', stderr: 'not found' };
      const ended = onExec?.();
      await Promise.resolve();
      ended?.();
      const stdout = command.join(' ') === by ? (says[name.replace('kube-proxy-', '')] ?? '') : '';
      return { exitCode: 0, stdout, stderr: '' };
    },
    podGet: async () => ({ status: 200, body: '{"lastUpdated": "2026-11-21 05:00:09.1 +0000 UTC"}' }),
  };
  const now = Date.parse(startedAt) + 60_000;
  return proxyBack(
    { kind: 'proxy-back', target: daemonSet ? kubeProxy : null },
    {
      kube: kube as Kube,
      clock: { now: () => now, monotonic: () => now, sleep: async () => undefined },
      signal: new AbortController().signal,
      runStartedAt: now,
      journal: { run: '', entries: [] },
      felixResource: { group: '', version: '', kind: '', plural: '', namespaced: false },
      proofs: new Map(),
      services: null,
      readFacts: async () => facts,
      recheck: async () => ({ kind: 'unknown', because: '', subjects: [] }),
    },
  );
}

const nodes = ['a', 'b'];
const everywhere = { a: rules, b: rules };

test('from files on the nodes: back once each node shows its rules', async () => {
  expect(await look({ nodes, pods: nodes.map((one) => mirrorOn(one)), says: everywhere })).toMatchObject({
    kind: 'met',
  });
});

test.each([
  ['ip6tables-save -t nat', rules],
  ['nft list table ip6 kube-proxy', 'table ip6 kube-proxy {\n}'],
])('on a cluster with IPv6 alone %s shows them', async (by, printed) => {
  const says = { a: printed, b: printed };
  expect((await look({ nodes, pods: nodes.map((one) => mirrorOn(one)), says, by })).kind).toBe('met');
});

test('on a big cluster only a few nodes are looked at at a time', async () => {
  const many = Array.from({ length: 100 }, (_, at) => `n${at}`);
  const says = Object.fromEntries(many.map((name) => [name, rules]));
  let [now, most] = [0, 0];
  const onExec = () => {
    most = Math.max(most, ++now);
    return () => void now--;
  };
  const progress = await look({ nodes: many, pods: many.map((one) => mirrorOn(one)), says, onExec });
  expect(progress.kind).toBe('met');
  expect(most).toBeLessThanOrEqual(16);
});

test('a node whose proxy has written nothing yet is waited for', async () => {
  expect(await look({ nodes, pods: nodes.map((one) => mirrorOn(one)), says: { a: rules } })).toMatchObject({
    kind: 'waiting',
    heldUpBy: [{ name: 'b' }],
    done: 1,
    total: 2,
  });
});

test.each([
  ['a node without a proxy', [mirrorOn('a')]],
  ['a pod that only has its name', [mirrorOn('a'), mirrorOn('b', {})]],
])('%s is named, and nothing is taken for granted', async (_, pods) => {
  expect(await look({ nodes, pods, says: everywhere })).toMatchObject({
    kind: 'unknown',
    because: expect.stringContaining('not verified on b'),
  });
});

test.each([
  ['one in the node’s own agent has no pods to look into', { kind: 'embedded' as const }, 'unknown'],
  ['one that is still off is waited for', { kind: 'none' as const, running: false }, 'waiting'],
])('%s', async (_, proxy, expected) => {
  expect((await look({ nodes, pods: [], proxy })).kind).toBe(expected);
});

test('in a DaemonSet the container of kube-proxy is asked, also where another stands before it', async () => {
  const containers = [{ name: 'mesh' }, { name: 'kube-proxy' }];
  const daemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { namespace: 'kube-system', name: 'kube-proxy', generation: 1 },
    spec: { selector: { matchLabels: {} }, template: { spec: { containers } } },
    status: { observedGeneration: 1, desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberAvailable: 1 },
  };
  const progress = await look({ nodes: ['a'], pods: [mirrorOn('a')], says: { a: rules }, daemonSet });
  expect(progress.kind).toBe('met');
});
