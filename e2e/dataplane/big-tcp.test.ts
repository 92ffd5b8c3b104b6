import { afterAll, test as anyTest, beforeAll, expect } from 'vitest';
import { netlinkFlags, netlinkMessage, openNetlink, serviceFlags } from '#lib/node/bpf/index.ts';
import { canRunPrograms } from './testing/can-run-programs.ts';
import { type NodePlane, nodePlane, podPort } from './testing/node-plane.ts';
import { type Topology, topology } from './testing/topology.ts';
import { nodes, pods } from './testing/two-nodes.ts';
import { withinNetwork } from './testing/within-network.ts';

/** Many segments at once, more than the length of a header of IP can say (BIG TCP of IPv4, Linux 6.3). */

const test = anyTest.runIf(canRunPrograms);

const links = [
  ['client', 'eth0'],
  ['router', 'client'],
  ...nodes.flatMap((node) => [
    ['router', node],
    [node, 'eth0'],
  ]),
  ...pods.flatMap(({ pod, node }) => [
    [node, pod],
    [pod, 'eth0'],
  ]),
] as [place: string, link: string][];
const size = 185_000;
const nodePort = 30_080;
const bytes = 8_000_000;

let net: Topology;
let planes: readonly NodePlane[];

/** Of linux/rtnetlink.h and linux/if_link.h. */
const newLink = 16;
const sizes = { gsoV4: 63, groV4: 64 } as const;

function allow(place: string, link: string): void {
  const ifindex = Number(net.on(place, 'cat', `/sys/class/net/${link}/ifindex`));
  const body = Buffer.alloc(16 + 16);
  body.writeInt32LE(ifindex, 4);
  for (const [index, type] of Object.values(sizes).entries()) {
    const at = 16 + index * 8;
    body.writeUInt16LE(8, at);
    body.writeUInt16LE(type, at + 2);
    body.writeUInt32LE(size, at + 4);
  }
  withinNetwork(net.namespace(place), () => {
    const netlink = openNetlink(0);
    expect(netlink?.isDone(netlinkMessage(newLink, netlinkFlags.acknowledge, body)), `${link} of ${place}`).toBe(true);
    netlink?.close();
  });
}

beforeAll(async () => {
  if (!canRunPrograms) return;
  net = topology(nodes, pods);
  for (const [place, link] of links) allow(place, link);
  planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
  for (const pod of ['a', 'c']) await net.at(pod).ask({ do: 'serve', name: pod, port: podPort });
});

afterAll(async () => {
  for (const plane of planes ?? []) plane.close();
  await net?.close();
});

const serve = (backend: string) => {
  for (const plane of planes)
    plane.serve({ address: '0.0.0.0', port: nodePort, flags: serviceFlags.nodePort, backends: [backend] });
};
const ask = (from: string, to: string, port: number) => net.at(from).ask({ do: 'tcp', to, port, bytes });
const wholeOf = (server: string) => ({ error: null, servers: [server] });

test('come to a NodePort and back, and from pod to pod', async () => {
  serve('a');
  expect(await ask('client', net.addresses('node1').v4, nodePort)).toMatchObject(wholeOf('a'));
  expect(await ask('b', net.addresses('a').v4, podPort)).toMatchObject(wholeOf('a'));
});

/** Segments of TCP that the client has sent more than once, of all connections (RFC 4022). */
const sentAgain = (): number => {
  const [names = [], values = []] = net
    .on('client', 'cat', '/proc/net/snmp')
    .split('\n')
    .filter((line) => line.startsWith('Tcp:'))
    .map((line) => line.split(' '));
  return Number(values[names.indexOf('RetransSegs')]);
};

test('go through the tunnel to a backend of another node and back', async () => {
  serve('c');
  const before = sentAgain();
  expect(await ask('client', net.addresses('node1').v4, nodePort)).toMatchObject(wholeOf('c'));
  // Thousands where one of them is cut off on its way; a few where the machine is slow.
  expect(sentAgain() - before).toBeLessThan(100);
});
