import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Load, startLoad, startTraffic, type Traffic } from './traffic.ts';

export type PodPlace = { readonly pod: string; readonly node: string };

export type Topology = {
  /** The namespace of a pod, a node, or of `client`. */
  readonly namespace: (place: string) => string;
  /** Of either family: `addresses('node1').v4`. */
  readonly addresses: (place: string) => { readonly v4: string; readonly v6: string };
  /** The node's end of a pod's link, or a node's own link `eth0`. */
  readonly ifindex: (node: string, link: string) => number;
  readonly mac: (place: string, link: string) => string;
  readonly on: (place: string, ...command: readonly string[]) => string;
  /** The same of a command that reads its standard input. */
  readonly feed: (place: string, input: string, ...command: readonly string[]) => string;
  /** A process there that sends and answers; in the group of cgroup2 only where asked for. */
  readonly traffic: (place: string, group?: 'in the group') => Traffic;
  /** The same in this machine's own network, and in the group of a node. */
  readonly ofHost: (node: string) => Traffic;
  /** A process that makes load, or answers it. */
  readonly load: (place: string, group?: 'in the group') => Load;
  /** One such process at each place, out of the group, begun when it is first asked for. */
  readonly at: (place: string) => Traffic;
  /** A folder of cgroup2 that is the node's own, and one of bpffs for all. */
  readonly cgroup: (node: string) => string;
  readonly bpffs: string;
  readonly close: () => Promise<void>;
};

/**
 * Nodes, pods and a client outside as network namespaces of this kernel: 10.88.N.2 is node N, behind one router; 10.89.N.P its P-th pod, reached by a route
 * of its own as CNI plug-ins lay it (169.254.1.1 is the pod's gateway); 10.88.200.2 the client. The same with fd88: and fd89:.
 */
export function topology(nodes: readonly string[], pods: readonly PodPlace[]): Topology {
  const id = `sd${randomBytes(3).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-dataplane-'));
  const namespace = (place: string) => `${id}-${place}`;
  const runFed = (input: string, [program = '', ...args]: readonly string[]) =>
    execFileSync(program, args, { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'pipe'] });
  const run = (...command: readonly string[]) => runFed('', command);
  const feed = (place: string, input: string, ...command: readonly string[]) =>
    runFed(input, ['ip', 'netns', 'exec', namespace(place), ...command]);
  const on = (place: string, ...command: readonly string[]) => feed(place, '', ...command);
  const hosts = [...nodes, 'client'];
  const network = (host: string) => (host === 'client' ? 200 : nodes.indexOf(host) + 1);
  const podNumber = ({ pod, node }: PodPlace) =>
    pods.filter((one) => one.node === node).findIndex((one) => one.pod === pod) + 2;

  const gateways = (host: string) => ({ v4: `10.88.${network(host)}.1`, v6: `fd88:0:0:${network(host)}::1` });
  const addresses = (place: string) => {
    const pod = pods.find((one) => one.pod === place);
    if (pod) {
      const [of, number] = [network(pod.node), podNumber(pod)];
      return { v4: `10.89.${of}.${number}`, v6: `fd89::${of}:${number}` };
    }
    return { v4: `10.88.${network(place)}.2`, v6: `fd88:0:0:${network(place)}::2` };
  };

  const places = ['router', ...hosts, ...pods.map(({ pod }) => pod)];
  batch(null, ...places.map((place) => ['netns', 'add', namespace(place)]));
  for (const place of places)
    on(
      place,
      ...['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1', 'net.ipv4.conf.all.rp_filter=0'],
      // Until a second after the start no link-local address would be there to ask for a neighbour from.
      'net.ipv6.conf.default.accept_dad=0',
    );
  batch(
    null,
    ...hosts.map((host) => pair({ place: host, link: 'eth0' }, { place: 'router', link: host })),
    ...pods.map(({ pod, node }) => pair({ place: pod, link: 'eth0' }, { place: node, link: pod })),
  );
  const up = (link: string) => ['link', 'set', 'dev', link, 'up'];
  batch(
    'router',
    up('lo'),
    ...hosts.flatMap((host) => [
      ['addr', 'add', `${gateways(host).v4}/24`, 'dev', host],
      ['addr', 'add', `${gateways(host).v6}/64`, 'dev', host, 'nodad'],
      up(host),
    ]),
    ...nodes.flatMap((node) => [
      ['route', 'add', `10.89.${network(node)}.0/24`, 'via', addresses(node).v4],
      ['route', 'add', `fd89::${network(node)}:0/112`, 'via', addresses(node).v6],
    ]),
  );
  for (const host of hosts)
    batch(
      host,
      up('lo'),
      ['addr', 'add', `${addresses(host).v4}/24`, 'dev', 'eth0'],
      ['addr', 'add', `${addresses(host).v6}/64`, 'dev', 'eth0', 'nodad'],
      up('eth0'),
      ['route', 'add', 'default', 'via', gateways(host).v4],
      ['route', 'add', 'default', 'via', gateways(host).v6],
    );
  for (const { pod, node } of pods) {
    const { v4, v6 } = addresses(pod);
    batch(node, up(pod));
    const [ofNode, ofPod] = [mac(node, pod), mac(pod, 'eth0')];
    const gateway = (address: string, bits: number) => [
      ['route', 'add', `${address}/${bits}`, 'dev', 'eth0'],
      ['neigh', 'add', address, 'lladdr', ofNode, 'dev', 'eth0', 'nud', 'permanent'],
      ['route', 'add', 'default', 'via', address, 'dev', 'eth0'],
    ];
    batch(
      pod,
      up('lo'),
      ['addr', 'add', `${v4}/32`, 'dev', 'eth0'],
      ['addr', 'add', `${v6}/128`, 'dev', 'eth0', 'nodad'],
      up('eth0'),
      ...gateway('169.254.1.1', 32),
      ...gateway('fe80::1', 128),
    );
    batch(
      node,
      ['route', 'add', `${v4}/32`, 'dev', pod, 'src', addresses(node).v4],
      ['route', 'add', `${v6}/128`, 'dev', pod],
      ['neigh', 'add', v4, 'lladdr', ofPod, 'dev', pod, 'nud', 'permanent'],
      ['neigh', 'add', v6, 'lladdr', ofPod, 'dev', pod, 'nud', 'permanent'],
    );
  }

  const mounts = { cgroup: join(folder, 'cgroup'), bpffs: join(folder, 'bpffs') };
  for (const [type, at] of [
    ['cgroup2', mounts.cgroup],
    ['bpf', mounts.bpffs],
  ] as const) {
    mkdirSync(at);
    run('mount', '-t', type, 'none', at);
  }
  const cgroup = (node: string) => join(mounts.cgroup, namespace(node));
  for (const node of nodes) mkdirSync(cgroup(node));
  const nodeOf = (place: string) => pods.find(({ pod }) => pod === place)?.node ?? place;

  const running: { readonly end: () => Promise<void> }[] = [];
  const kept = <Process extends { readonly end: () => Promise<void> }>(begun: Process) => {
    running.push(begun);
    return begun;
  };
  const starting =
    <Process extends { readonly end: () => Promise<void> }>(
      start: (namespace: string, cgroup: string | null) => Process,
    ) =>
    (place: string, group?: 'in the group') =>
      kept(start(namespace(place), group ? cgroup(nodeOf(place)) : null));
  const traffic = starting(startTraffic);
  const standing = new Map<string, Traffic>();
  return {
    namespace,
    addresses,
    on,
    feed,
    mac,
    cgroup,
    bpffs: mounts.bpffs,
    ifindex: (node, link) => Number(on(node, 'cat', `/sys/class/net/${link}/ifindex`)),
    traffic,
    ofHost: (node) => kept(startTraffic(null, cgroup(node))),
    load: starting(startLoad),
    at(place) {
      const one = standing.get(place) ?? traffic(place);
      standing.set(place, one);
      return one;
    },
    async close() {
      await Promise.all(running.map((one) => one.end()));
      for (const node of nodes) rmdirSync(cgroup(node));
      for (const at of Object.values(mounts)) run('umount', at);
      batch(null, ...places.map((place) => ['netns', 'del', namespace(place)]));
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /** Commands of `ip` there (null: in this namespace): hundreds of programs took most of the time of an emulated machine. */
  function batch(place: string | null, ...commands: readonly (readonly string[])[]) {
    const lines = commands.map((command) => `${command.join(' ')}\n`).join('');
    runFed(lines, ['ip', ...(place === null ? [] : ['-n', namespace(place)]), '-batch', '-']);
  }

  function pair(one: { place: string; link: string }, other: { place: string; link: string }) {
    return [
      ...['link', 'add', one.link, 'netns', namespace(one.place), 'type', 'veth'],
      ...['peer', 'name', other.link, 'netns', namespace(other.place)],
    ];
  }

  function mac(place: string, link: string) {
    return on(place, 'cat', `/sys/class/net/${link}/address`).trim();
  }
}

/** The address of each place, in one family. */
export function addressesIn<const Places extends readonly string[]>(
  net: Pick<Topology, 'addresses'>,
  family: 'v4' | 'v6',
  ...places: Places
): { [Place in keyof Places]: string } {
  return places.map((place) => net.addresses(place)[family]) as { [Place in keyof Places]: string };
}
