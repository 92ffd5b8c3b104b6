import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { freePorts } from '#e2e/controlplane/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { ended, objectFolder, outputUntil, program, startProcess } from './testing/node-process.ts';
import { type Topology, topology } from './testing/topology.ts';
import type { Traffic } from './testing/traffic.ts';

/** The agent as a process, from a folder of objects to traffic in the running kernel: started, killed, started again, and taken away. */

const test = anyTest.runIf(canRunPrograms);
const service = '10.96.0.10';

let net: Topology;
let client: Traffic;
let objects: ReturnType<typeof objectFolder>;
let pins: string;
let listen: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(
    ['node1'],
    [
      { pod: 'a', node: 'node1' },
      { pod: 'b', node: 'node1' },
    ],
  );
  objects = objectFolder();
  pins = join(net.bpffs, 'signalbox');
  listen = `127.0.0.1:${await freePorts(1)}`;
  await Promise.all(['a', 'b'].map((pod) => net.traffic(pod).ask({ do: 'serve', name: pod, port: 8080 })));
  client = net.traffic('node1', 'in the group');
  objects.write('node.json', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node1' } });
  objects.write('service.json', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'shop', name: 'web' },
    spec: {
      clusterIP: service,
      ports: [
        { name: 'http', protocol: 'TCP', port: 80 },
        { name: 'dns', protocol: 'UDP', port: 53 },
      ],
    },
  });
  backedBy('a');
});

afterAll(async () => {
  for (const one of running) one.kill('SIGKILL');
  await net?.close();
  objects?.close();
});

function backedBy(...pods: string[]): void {
  objects.write('slice.json', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace: 'shop', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => ({ addresses: [net.addresses(pod).v4], nodeName: 'node1' })),
    ports: [
      { name: 'http', protocol: 'TCP', port: 8080 },
      { name: 'dns', protocol: 'UDP', port: 8080 },
    ],
  });
}

function signalbox(...args: readonly string[]): ChildProcess {
  const child = startProcess([...program.main, 'node', ...args]);
  running.push(child);
  return child;
}

const start = (...more: readonly string[]) => startFor(net.cgroup('node1'), ...more);
const startFor = (cgroup: string, ...more: readonly string[]) =>
  signalbox(
    ...['--from', objects.folder, '--node-name', 'node1', '--node-ip', net.addresses('node1').v4],
    ...['--cgroup', cgroup, '--pins', pins, '--listen', listen, '--iface', 'none', ...more],
  );

function shown(...args: readonly string[]) {
  const [node, ...before] = program.main;
  return JSON.parse(execFileSync(node, [...before, 'node', ...args, '-o', 'json'], { encoding: 'utf8' }));
}

const answers = async () => {
  const { error, servers } = await client.ask({ do: 'tcp', to: service, port: 80 });
  return error ?? servers.join();
};

test('it does not go to work where there is a policy, and pins nothing to a hook', async () => {
  objects.write('policy.json', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { namespace: 'shop', name: 'deny' },
    spec: { podSelector: {} },
  });
  const refused = start();
  const [text, code] = await Promise.all([outputUntil(refused, /^$/), ended(refused)]);
  objects.remove('policy.json');
  expect(text).toContain('shop/deny');
  expect(code).toBe(3);
  expect(await answers()).toBe('ENETUNREACH');
});

test('a file that changes changes where the next connection goes; killed, all goes on; taken away, nothing is left', async () => {
  const agent = start('--without-policy', 'I-understand');
  expect(await outputUntil(agent, /attached/)).toContain('attached');
  expect(await answers()).toBe('a');
  backedBy('b');
  await expect.poll(answers).toBe('b');

  // Two would count Services from the same number, and what the other holds open stays attached.
  for (const begin of [() => start('--without-policy', 'I-understand'), () => signalbox('leave', '--pins', pins)]) {
    const other = begin();
    const [text, code] = await Promise.all([outputUntil(other, /^$/), ended(other)]);
    expect(text).toContain(`in use by process ${agent.pid}`);
    expect(code).toBe(3);
  }
  expect(await answers()).toBe('b');

  expect(shown('services', '--pins', pins).services).toContainEqual(
    expect.objectContaining({
      ...{ address: service, port: 80, protocol: 'TCP' },
      cluster: [{ address: net.addresses('b').v4, port: 8080, node: null, flags: ['local'] }],
    }),
  );
  expect(shown('routes', '--pins', pins).routes).toContainEqual(
    expect.objectContaining({ address: '127.0.0.0', prefix: 8, flags: ['local', 'host', 'nodePorts'] }),
  );
  expect(shown('conntrack', '--pins', pins).flows).toEqual([]);
  expect(shown('status', '--listen', listen)).toMatchObject({ node: 'node1', services: 1, problems: [] });

  const killed = ended(agent);
  agent.kill('SIGKILL');
  await killed;
  expect(await answers()).toBe('b');

  backedBy('a');
  const next = start('--without-policy', 'I-understand');
  await outputUntil(next, /attached/);
  expect(await answers()).toBe('a');
  const stopped = ended(next);
  next.kill('SIGTERM');
  await stopped;
  expect(await answers()).toBe('a');

  expect(await ended(signalbox('leave', '--pins', pins))).toBe(0);
  expect(existsSync(pins)).toBe(false);
  expect(await answers()).toBe('ENETUNREACH');
});

test('started anew for another folder of cgroup2, it serves whoever is in that one, and nobody else', async () => {
  const other = join(net.cgroup('node1'), 'other');
  mkdirSync(other);
  // Routers limit how many ICMP errors they send, so no answer also counts as not served.
  const isServed = async () => (await answers()) === 'a';
  const served: boolean[] = [];
  for (const cgroup of [other, net.cgroup('node1'), other]) {
    const agent = startFor(cgroup, '--without-policy', 'I-understand');
    await outputUntil(agent, /attached/);
    const stopped = ended(agent);
    agent.kill('SIGTERM');
    await stopped;
    served.push(await isServed());
  }
  const left = await ended(signalbox('leave', '--pins', pins));
  rmdirSync(other);
  expect(left).toBe(0);
  expect(served).toEqual([false, true, false]);
});

test('a process of the node is told, on a socket that is connected, that its backend went', async () => {
  backedBy('a');
  const [node, ...main] = program.main;
  const agent = startProcess([
    ...['ip', 'netns', 'exec', net.namespace('node1'), node, ...main, 'node', '--from', objects.folder],
    ...['--node-name', 'node1', '--node-ip', net.addresses('node1').v4, '--cgroup', net.cgroup('node1')],
    ...['--pins', pins, '--listen', listen, '--iface', 'none', '--without-policy', 'I-understand'],
  ]);
  running.push(agent);
  await outputUntil(agent, /attached/);
  const ask = { do: 'udp', to: service, port: 53, socket: 'connected' } as const;
  const asking = client.ask({ ...ask, times: 600, everyMs: 50 });
  await sleep(300);
  backedBy('b');
  const { error, servers } = await asking;
  expect([error, ...new Set(servers)]).toEqual(['ECONNABORTED', 'a']);
  expect(await client.ask(ask)).toMatchObject({ error: null, servers: ['b'] });
  const stopped = ended(agent);
  agent.kill('SIGTERM');
  await stopped;
  expect(await ended(signalbox('leave', '--pins', pins))).toBe(0);
});
