import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { aNode, ended, objectFolder, outputUntil, program, startProcess } from './testing/node-process.ts';
import { type Topology, topology } from './testing/topology.ts';

/** The agent as an administrator runs it on two nodes, from a folder of objects: what it attaches to, what clients and load balancers get, what it leaves. */

const test = anyTest.runIf(canRunPrograms);

const nodes = ['node1', 'node2'] as const;
const pods = [
  { pod: 'pod-a', node: 'node1' },
  { pod: 'pod-c', node: 'node2' },
];
const service = '10.96.0.10';
const nodePort = 30080;

let net: Topology;
let objects: ReturnType<typeof objectFolder>;
const agents = new Map<string, ChildProcess>();
const pinsOf = (node: string) => join(net.bpffs, `pins-${node}`);

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  objects = objectFolder();
  for (const { pod } of pods) await net.at(pod).ask({ do: 'serve', name: pod, port: 8080 });
  for (const place of ['client', 'node2']) await net.at(place).ask({ do: 'serve', name: place, port: 9000 });
  for (const node of nodes) writeNode(node);
  serve({
    ports: [
      { name: 'http', protocol: 'TCP', port: 80, nodePort },
      { name: 'dns', protocol: 'UDP', port: 53 },
    ],
  });
  backedBy('pod-a');
  await Promise.all(nodes.map(start));
});

afterAll(async () => {
  for (const one of agents.values()) one.kill('SIGKILL');
  await Promise.all([...agents.values()].map(ended));
  await net?.close();
  objects?.close();
});

function writeNode(node: string, taints: readonly object[] = []): void {
  objects.write(`${node}.json`, aNode(node, Object.values(net.addresses(node)), taints));
}

function serve(spec: object): void {
  objects.write('service.json', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'web' },
    spec: { type: 'NodePort', clusterIP: service, ...spec },
  });
}

function backedBy(pod: string): void {
  objects.write('slice.json', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [net.addresses(pod).v4], nodeName: pods.find((one) => one.pod === pod)?.node }],
    ports: [
      { name: 'http', protocol: 'TCP', port: 8080 },
      { name: 'dns', protocol: 'UDP', port: 8080 },
    ],
  });
}

const signalbox = (node: string, ...args: readonly string[]) =>
  startProcess(['ip', 'netns', 'exec', net.namespace(node), ...program.installed, 'node', ...args]);

async function start(node: string): Promise<void> {
  const agent = signalbox(
    node,
    ...['--from', objects.folder, '--node-name', node, '--pod-iface', 'pod-*', '--without-policy', 'I-understand'],
    ...['--cgroup', net.cgroup(node), '--pins', pinsOf(node)],
    ...(node === 'node1' ? ['--masquerade', '10.89.0.0/16,fd89::/16'] : []),
  );
  agents.set(node, agent);
  expect(await outputUntil(agent, /programs are attached/)).toContain('programs are attached');
}

/** As kube-proxy would have it on node2: a node port that leads to a port of pod-c. */
function besideKubeProxy(port: number, podPort: number): void {
  const to = `tcp dport ${port} dnat to ${net.addresses('pod-c').v4}:${podPort}`;
  const chains = [
    `chain services { type nat hook prerouting priority dstnat; ${to}; }`,
    'chain after { type nat hook postrouting priority srcnat; }',
    'chain between { type filter hook forward priority filter; ct state invalid drop; }',
  ];
  net.on('node2', 'nft', `table ip kube-proxy { ${chains.join('; ')}; }`);
}

const nodePortOf = (node: string) => ({ do: 'tcp', to: net.addresses(node).v4, port: nodePort }) as const;
const fromOutside = async (node = 'node1') => {
  const { error, servers, seen } = await net.at('client').ask(nodePortOf(node));
  return error ?? `${servers} sees ${seen}`;
};
const bySelf = (pod: string) => `${pod} sees ${net.addresses('client').v4}`;

/** The answer to a load balancer's health check at kube-proxy's default port. */
const health = (node: string) =>
  net.on(
    'client',
    process.execPath,
    '-e',
    `fetch('http://${net.addresses(node).v4}:10256/healthz').then(({ status }) => console.log(status), () => console.log('nobody'))`,
  );

test('a pod reaches a service by packets, and a client outside a node port, on the node of the backend and on another', async () => {
  const ofPod = { do: 'tcp', to: service, port: 80, bytes: 20_000 } as const;
  expect(await net.at('pod-c').ask(ofPod)).toMatchObject({ error: null, servers: ['pod-a'], peer: service });
  expect(await fromOutside('node1')).toBe(bySelf('pod-a'));
  expect(await fromOutside('node2')).toBe(bySelf('pod-a'));
  backedBy('pod-c');
  await expect.poll(() => fromOutside('node1')).toBe(bySelf('pod-c'));
});

test('datagrams of one socket go on to another backend when theirs went', async () => {
  backedBy('pod-a');
  const ask = { do: 'udp', to: service, port: 53, socket: 'connected', clientPort: 4000 } as const;
  await expect.poll(async () => (await net.at('pod-c').ask(ask)).servers).toEqual(['pod-a']);
});

test('clients outside are kept at their backend, also where it is on another node', async () => {
  backedBy('pod-c');
  serve({ sessionAffinity: 'ClientIP', ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort }] });
  await expect.poll(() => fromOutside('node1')).toBe(bySelf('pod-c'));
  expect(await fromOutside('node1')).toBe(bySelf('pod-c'));
});

test.each(['v4', 'v6'] as const)(
  'whom a pod calls outside sees its node (%s), and another pod sees it',
  async (family) => {
    const seenBy = async (place: string, port: number) => {
      const { error, seen } = await net
        .at('pod-a')
        .ask({ do: 'tcp', to: net.addresses(place)[family], port, bytes: 20_000 });
      return error ?? seen;
    };
    expect(await seenBy('client', 9000)).toBe(net.addresses('node1')[family]);
    expect(await seenBy('pod-c', 8080)).toBe(net.addresses('pod-a')[family]);
  },
);

test.each(['v4', 'v6'] as const)(
  'behind a service too (%s): a backend outside and a node see the node of a pod, and another pod sees it',
  async (family) => {
    const address = { v4: '10.96.0.20', v6: 'fd96::20' }[family];
    const ports = [
      { name: 'stream', protocol: 'TCP', port: 80 },
      { name: 'datagrams', protocol: 'UDP', port: 80 },
    ];
    const metadata = { namespace: 'shop', name: 'others' };
    objects.write('others.json', {
      ...{ apiVersion: 'v1', kind: 'Service', metadata },
      spec: { type: 'ClusterIP', clusterIP: address, clusterIPs: [address], ports },
    });
    // As somebody writes it by hand who knows of no node; as of a pod in its node's network; as of any pod.
    const backends = { client: [null, 9000], node2: ['node2', 9000], 'pod-c': ['node2', 8080] } as const;
    try {
      for (const [place, [nodeName, port]] of Object.entries(backends)) {
        objects.write('others-slice.json', {
          ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
          metadata: { ...metadata, name: 'others-1', labels: { 'kubernetes.io/service-name': 'others' } },
          addressType: family === 'v4' ? 'IPv4' : 'IPv6',
          endpoints: [{ addresses: [net.addresses(place)[family]], ...(nodeName && { nodeName }) }],
          ports: ports.map(({ name, protocol }) => ({ name, protocol, port })),
        });
        const to = { to: address, port: 80 };
        const datagrams = { ...to, do: 'udp', socket: 'connected', times: 3 } as const;
        await expect.poll(async () => (await net.at('pod-a').ask(datagrams)).servers).toEqual([place, place, place]);
        const own = net.addresses(place === 'pod-c' ? 'pod-a' : 'node1')[family];
        const seen = { error: null, seen: own, peer: address };
        expect(await net.at('pod-a').ask(datagrams), place).toMatchObject(seen);
        expect(await net.at('pod-a').ask({ ...to, do: 'tcp', bytes: 20_000 }), place).toMatchObject(seen);
      }
    } finally {
      for (const name of ['others.json', 'others-slice.json']) objects.remove(name);
    }
  },
);

test('a connection that another service proxy has translated outlives its rules', async () => {
  const node2 = net.addresses('node2').v4;
  besideKubeProxy(31_000, 8080);
  expect(await net.at('client').ask({ do: 'open', to: node2, port: 31_000 })).toMatchObject({ error: null });
  net.on('node2', 'nft', 'delete table ip kube-proxy');
  expect(await net.at('client').ask({ do: 'finish' })).toMatchObject({ error: null, servers: ['pod-c'], peer: node2 });
  expect(await net.at('client').ask({ do: 'tcp', to: node2, port: 31_000 })).toMatchObject({ error: 'ECONNREFUSED' });
});

test('what became of packets is told by interface', async () => {
  serve({ ports: [{ name: 'none', protocol: 'TCP', port: 80, nodePort }] });
  try {
    // The backend's node may know first, and refuses what node1 still sends there: node1 counts nothing then.
    const packets = async () => {
      const answer = await fromOutside('node1');
      const status = net.on('node1', ...program.installed, 'node', 'status', '-o', 'json');
      return { answer, ...JSON.parse(status).packets };
    };
    await expect.poll(packets).toMatchObject({
      answer: 'ECONNREFUSED',
      eth0: { forwarded: expect.any(Number), noBackend: expect.any(Number) },
      pods: { forwarded: expect.any(Number) },
    });
  } finally {
    serve({ ports: [{ name: 'http', protocol: 'TCP', port: 80, nodePort }] });
  }
  await expect.poll(() => fromOutside('node1')).toBe(bySelf('pod-c'));
});

test('programs that somebody has detached are attached again', async () => {
  const links = join(pinsOf('node1'), 'links');
  const names = readdirSync(links);
  // Else it may have looked meanwhile.
  agents.get('node1')?.kill('SIGSTOP');
  try {
    for (const name of names) execFileSync('bpftool', ['link', 'detach', 'pinned', join(links, name)]);
    expect(await fromOutside('node1')).not.toBe(bySelf('pod-c'));
  } finally {
    agents.get('node1')?.kill('SIGCONT');
  }
  await expect.poll(() => fromOutside('node1'), { timeout: 20_000 }).toBe(bySelf('pod-c'));
  await expect.poll(() => net.at('pod-a').ask({ do: 'tcp', to: service, port: 80 })).toMatchObject({ error: null });
  await expect.poll(() => readdirSync(links).sort()).toEqual(names.sort());
});

test('load balancers are told of each node, and no longer once it is about to go', async () => {
  expect(nodes.map(health)).toEqual(['200\n', '200\n']);
  writeNode('node2', [{ key: 'ToBeDeletedByClusterAutoscaler', effect: 'NoSchedule' }]);
  await expect.poll(() => health('node2')).toBe('503\n');
});

test('killed, packets are served on; started anew, changes reach them; taken away, nothing is left on the node', async () => {
  const agent = agents.get('node1');
  agent?.kill('SIGKILL');
  if (agent) await ended(agent);
  expect(await fromOutside('node1')).toBe(bySelf('pod-c'));
  expect(health('node1')).toBe('nobody\n');
  await start('node1');
  expect(await fromOutside('node1')).toBe(bySelf('pod-c'));
  // By the stack, which may have it come from the node: nobody goes on with it.
  const address = outsideService('10.96.0.21', 'client', 9000);
  const opened = async () => (await net.at('pod-a').ask({ do: 'open', to: address, port: 80 })).error;
  await expect.poll(opened).toBe(null);
  const text = await leave('node1');
  expect(text).toMatch(/\d+ continues? .* and 1 ends\./);
  expect((await net.at('pod-a').ask({ do: 'finish' })).error).not.toBe(null);
  expect(await fromOutside('node1')).toBe('ECONNREFUSED');
});

/** A service of one backend that is on no node. Returns its address. */
function outsideService(address: string, backend: string, port: number): string {
  const metadata = { namespace: 'shop', name: 'outside' };
  const ports = [{ name: 'stream', protocol: 'TCP', port: 80 }];
  objects.write('outside.json', {
    ...{ apiVersion: 'v1', kind: 'Service', metadata },
    spec: { type: 'ClusterIP', clusterIP: address, ports },
  });
  objects.write('outside-slice.json', {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' },
    metadata: { ...metadata, name: 'outside-1', labels: { 'kubernetes.io/service-name': 'outside' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [net.addresses(backend).v4] }],
    ports: ports.map(({ name, protocol }) => ({ name, protocol, port })),
  });
  return address;
}

test('taken away while kube-proxy is back, a connection to a pod of the node goes on by its tracking', async () => {
  const open = nodePortOf('node2');
  expect(await net.at('client').ask({ ...open, do: 'open' })).toMatchObject({ error: null });
  // To where nobody is: it would lead what it takes for a new connection there.
  besideKubeProxy(nodePort, 9);
  expect(await leave('node2')).toContain("1 continues through the host's own tracking and 0 end");
  const seen = net.addresses('client').v4;
  expect(await net.at('client').ask({ do: 'finish' })).toEqual({
    error: null,
    servers: ['pod-c'],
    seen,
    peer: open.to,
  });
  expect(await fromOutside('node2')).toBe('ECONNREFUSED');
});

/** Runs `node leave`, and returns its output. */
async function leave(node: string): Promise<string> {
  const agent = agents.get(node);
  agent?.kill('SIGTERM');
  if (agent) await ended(agent);
  const leaving = signalbox(node, 'leave', '--pins', pinsOf(node));
  const [text, code] = await Promise.all([outputUntil(leaving, /are removed/), ended(leaving)]);
  expect(code, text).toBe(0);
  expect(existsSync(pinsOf(node))).toBe(false);
  expect(net.on(node, 'nft', 'list', 'tables')).not.toContain('signalbox');
  return text;
}
