import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { configFlags, serviceFlags } from '#lib/node/bpf/index.ts';
import { nodePlane, podPort } from '../../dataplane/testing/node-plane.ts';
import { datagramOf, synPacket, tooBigPacket, withEthernetHeader } from '../../dataplane/testing/packets.ts';
import { testRunner } from '../../dataplane/testing/test-run.ts';
import { topology } from '../../dataplane/testing/topology.ts';
import { everyNode, families, nodes, pods, serviceAddress } from '../../dataplane/testing/two-nodes.ts';
import { withinNetwork } from '../../dataplane/testing/within-network.ts';

/** An entry of a map, by its name, as the kernel has it. */
export type Entry = { readonly map: string; readonly key: Buffer; readonly value: Buffer };

type Life = {
  readonly what: string;
  readonly program: 'incoming' | 'outgoing';
  readonly ifindex: number;
  readonly frame: Buffer;
  /** What this kernel's program made of it. */
  readonly verdict: number;
  readonly left: Buffer;
};

/** Entries that are written, then packets one after the other, each of which may leave something in the maps for the next one. */
type Chapter = { readonly entries: readonly Entry[]; readonly lives: readonly Life[] };

export type Recording = {
  /** In the order of their numbers, from 2 on: of the network, then one for each pod. */
  readonly links: readonly string[];
  /** Arguments of `ip` that lay addresses and routes there. */
  readonly addresses: readonly string[];
  readonly chapters: readonly Chapter[];
  /** For processes of the node: services by the entries of each chapter, whose backend is the node itself at `port`, and one of nobody. */
  readonly sockets: {
    readonly port: number;
    readonly backends: readonly string[];
    readonly dialled: readonly { readonly to: string; readonly port: number }[];
  };
};

const ports = { here: 30_080, elsewhere: 30_081, nowhere: 30_082, host: 30_083 } as const;
const firstPort = 50_000;
const tables = ['interfaces', 'routes', 'services', 'backends'] as const;

/** Packet lives by this machine's kernel on a node with two pods, so that another processor can be given the same: what does not depend on chance. */
export async function recordLives(): Promise<Recording> {
  const net = topology(nodes, pods);
  const planes = nodes.map((node) => nodePlane(net, node, { nodes, pods }));
  try {
    const [here, there] = planes;
    if (!here || !there) throw new Error('no planes');
    for (const plane of planes)
      plane.serve(
        ...families.flatMap((family) =>
          Object.entries({ here: ['a'], elsewhere: ['c'], nowhere: [], host: ['node1'] }).map(([port, backends]) => ({
            ...{ address: everyNode[family], port: ports[port as keyof typeof ports], backends, family },
            flags: serviceFlags.nodePort,
          })),
        ),
        ...families.flatMap((family) => [
          { address: serviceAddress[family], port: 80, backends: ['node1'], family },
          { address: serviceAddress[family], port: 81, backends: [], family },
        ]),
      );
    const links = ['eth0', 'a', 'b'];
    const dumped = (map: string): Entry[] =>
      (
        JSON.parse(
          execFileSync('bpftool', ['-j', 'map', 'dump', 'pinned', join(net.bpffs, 'node1', map)], { encoding: 'utf8' }),
        ) as { key: string[]; value: string[] }[]
      ).map(({ key, value }) => ({ map, key: bytesOf(key), value: bytesOf(value) }));
    const runners = {
      incoming: testRunner(here.plane, 'incoming'),
      outgoing: testRunner(here.plane, 'outgoing'),
      ofNode2: testRunner(there.plane, 'incoming'),
    };
    const chapters = families.flatMap((family) =>
      [configFlags.synced, configFlags.synced | configFlags.dsr].map((flags, at): Chapter => {
        here.configure(flags);
        const lives: Life[] = [];
        const run = (what: string, link: string, packet: Buffer, program: Life['program'] = 'incoming') => {
          const ifindex = net.ifindex('node1', link);
          const frame = withEthernetHeader(packet);
          const ran = withinNetwork(net.namespace('node1'), () => runners[program].run(frame, ifindex));
          lives.push({
            what: `${what} (${family}, ${at})`,
            program,
            ifindex,
            frame,
            verdict: ran.verdict,
            left: ran.frame,
          });
          return ran.frame.subarray(14);
        };
        const byNode2 = (packet: Buffer) =>
          withinNetwork(net.namespace('node2'), () =>
            runners.ofNode2.run(withEthernetHeader(packet), net.ifindex('node2', 'eth0')),
          ).frame.subarray(14);
        walks(firstPort + at, (place) => net.addresses(place)[family], run, byNode2);
        return { entries: [...tables, 'config'].flatMap(dumped), lives };
      }),
    );
    for (const runner of Object.values(runners)) runner.close();
    const dialled = families.flatMap((family) => [80, 81].map((port) => ({ to: serviceAddress[family], port })));
    const sockets = { port: podPort, backends: Object.values(net.addresses('node1')), dialled };
    return { links, addresses: addressesOf(net), chapters, sockets };
  } finally {
    for (const plane of planes) plane.close();
    await net.close();
  }
}

const bytesOf = (hex: readonly string[]) => Buffer.from(hex.map((one) => Number(one)));

function addressesOf({ addresses }: Pick<ReturnType<typeof topology>, 'addresses'>): string[] {
  const { v4, v6 } = addresses('node1');
  const ofPods = ['a', 'b'].flatMap((pod) =>
    Object.values(addresses(pod)).map(
      (address) => `route add ${address}/${address.includes(':') ? 128 : 32} dev ${pod}`,
    ),
  );
  return [
    ...[`addr add ${v4}/24 dev eth0`, `addr add ${v6}/64 dev eth0`, ...ofPods],
    ...['10.88.1.1', 'fd88:0:0:1::1'].map((gateway) => `route add default via ${gateway} dev eth0`),
  ];
}

type Run = (what: string, link: string, packet: Buffer, program?: Life['program']) => Buffer;

/** The walks of a packet, there and back; each gives the next what it made of the packet. */
function walks(
  clientPort: number,
  address: (place: string) => string,
  run: Run,
  byNode2: (packet: Buffer) => Buffer,
): void {
  const [outside, node1, node2, a, b] = ['client', 'node1', 'node2', 'a', 'b'].map(address) as [
    ...[string, string, string],
    ...[string, string],
  ];
  const request = (port: number) => ({
    ...{ source: outside, destination: node1, sourcePort: clientPort, destinationPort: port },
  });
  const answer = (from: string, to: string) =>
    synPacket({ source: from, destination: to, sourcePort: 8080, destinationPort: clientPort }, { isAnswer: true });
  run('a connection from outside', 'eth0', synPacket(request(ports.here)));
  const answered = run('its answer', 'a', answer(a, outside));
  run('an error about it', 'eth0', tooBigPacket({ source: outside, destination: node1 }, answered));
  run('a datagram from outside', 'eth0', datagramOf(request(ports.here), 100));
  run('into the tunnel', 'eth0', synPacket(request(ports.elsewhere)));
  run('a datagram into the tunnel', 'eth0', datagramOf(request(ports.elsewhere), 100));
  run('what is too big for it', 'eth0', datagramOf(request(ports.elsewhere), 1440));
  run('what is too old for it', 'eth0', datagramOf({ ...request(ports.elsewhere), ttl: 1 }, 5));
  run('a connection to nobody', 'eth0', synPacket(request(ports.nowhere)));
  run('a datagram to nobody', 'eth0', datagramOf(request(ports.nowhere), 100));
  const inTunnel = byNode2(synPacket({ ...request(ports.here), destination: node2, sourcePort: clientPort + 10 }));
  run('out of the tunnel', 'eth0', inTunnel);
  const back = { source: a, destination: outside, sourcePort: 8080, destinationPort: clientPort + 10 };
  run('its answer to the tunnel, or straight', 'a', synPacket(back, { isAnswer: true }));
  run('a forged one', 'a', inTunnel);
  run('to the host', 'eth0', synPacket(request(ports.host)));
  run('its answer', 'eth0', answer(node1, outside), 'outgoing');
  run('of a pod', 'b', synPacket({ ...request(ports.here), source: b }));
  run('its answer', 'a', answer(a, b));
  run('of a pod to itself', 'a', synPacket({ ...request(ports.here), source: a }));
  const direct = { source: b, destination: a, sourcePort: clientPort + 1, destinationPort: 9000 };
  run('between two pods', 'b', synPacket(direct));
  const reverse = { source: a, destination: b, sourcePort: 9000, destinationPort: clientPort + 1 };
  run('its answer', 'a', synPacket(reverse, { isAnswer: true }));
  run('of a pod that is another', 'b', synPacket({ ...request(ports.here), source: a }));
}
