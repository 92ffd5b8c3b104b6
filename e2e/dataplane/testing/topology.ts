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
  const ip = (place: string, ...args: readonly string[]) => run('ip', '-n', namespace(place), ...args);
  const hosts = [...nodes, 'client'];
  const network = (host: string) => (host === 'client' ? 200 : nodes.indexOf(host) + 1);
  const podNumber = ({ pod, node }: PodPlace) =>
    pods.filter((one) => one.node === node).findIndex((one) => one.pod === pod) + 2;

  const addresses = (place: string) => {
    const pod = pods.find((one) => one.pod === place);
    if (pod) {
      const [of, number] = [network(pod.node), podNumber(pod)];
      return { v4: `10.89.${of}.${number}`, v6: `fd89::${of}:${number}` };
    }
    return { v4: `10.88.${network(place)}.2`, v6: `fd88:0:0:${network(place)}::2` };
  };

  const up = (place: string, ...links: readonly string[]) => {
    for (const link of links) ip(place, 'link', 'set', 'dev', link, 'up');
  };
  for (const place of ['router', ...hosts, ...pods.map(({ pod }) => pod)]) {
    ip0('netns', 'add', namespace(place));
    up(place, 'lo');
    on(
      place,
      'sysctl',
      '-qw',
      'net.ipv4.ip_forward=1',
      'net.ipv6.conf.all.forwarding=1',
      'net.ipv4.conf.all.rp_filter=0',
    );
  }
  for (const host of hosts) {
    const { v4, v6 } = addresses(host);
    const [gateway4, gateway6] = [`10.88.${network(host)}.1`, `fd88:0:0:${network(host)}::1`];
    pair({ place: host, link: 'eth0' }, { place: 'router', link: host });
    ip(host, 'addr', 'add', `${v4}/24`, 'dev', 'eth0');
    ip(host, 'addr', 'add', `${v6}/64`, 'dev', 'eth0', 'nodad');
    ip('router', 'addr', 'add', `${gateway4}/24`, 'dev', host);
    ip('router', 'addr', 'add', `${gateway6}/64`, 'dev', host, 'nodad');
    up(host, 'eth0');
    up('router', host);
    ip(host, 'route', 'add', 'default', 'via', gateway4);
    ip(host, '-6', 'route', 'add', 'default', 'via', gateway6);
  }
  for (const node of nodes) {
    ip('router', 'route', 'add', `10.89.${network(node)}.0/24`, 'via', addresses(node).v4);
    ip('router', '-6', 'route', 'add', `fd89::${network(node)}:0/112`, 'via', addresses(node).v6);
  }
  for (const { pod, node } of pods) {
    const { v4, v6 } = addresses(pod);
    pair({ place: pod, link: 'eth0' }, { place: node, link: pod });
    ip(pod, 'addr', 'add', `${v4}/32`, 'dev', 'eth0');
    ip(pod, 'addr', 'add', `${v6}/128`, 'dev', 'eth0', 'nodad');
    up(pod, 'eth0');
    up(node, pod);
    const lladdr = mac(node, pod);
    for (const [family, gateway] of [
      ['-4', '169.254.1.1'],
      ['-6', 'fe80::1'],
    ] as const) {
      ip(pod, family, 'route', 'add', `${gateway}/${family === '-4' ? 32 : 128}`, 'dev', 'eth0');
      ip(pod, family, 'neigh', 'add', gateway, 'lladdr', lladdr, 'dev', 'eth0', 'nud', 'permanent');
      ip(pod, family, 'route', 'add', 'default', 'via', gateway, 'dev', 'eth0');
    }
    ip(node, 'route', 'add', `${v4}/32`, 'dev', pod, 'src', addresses(node).v4);
    ip(node, '-6', 'route', 'add', `${v6}/128`, 'dev', pod);
    for (const [family, address] of [
      ['-4', v4],
      ['-6', v6],
    ] as const)
      ip(node, family, 'neigh', 'add', address, 'lladdr', mac(pod, 'eth0'), 'dev', pod, 'nud', 'permanent');
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
  const starting =
    <Process extends { readonly end: () => Promise<void> }>(
      start: (namespace: string, cgroup: string | null) => Process,
    ) =>
    (place: string, group?: 'in the group') => {
      const begun = start(namespace(place), group ? cgroup(nodeOf(place)) : null);
      running.push(begun);
      return begun;
    };
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
      for (const place of ['router', ...hosts, ...pods.map(({ pod }) => pod)]) ip0('netns', 'del', namespace(place));
      rmSync(folder, { recursive: true, force: true });
    },
  };

  function ip0(...args: readonly string[]) {
    run('ip', ...args);
  }

  function pair(one: { place: string; link: string }, other: { place: string; link: string }) {
    const [name, netns] = [one.link, namespace(one.place)];
    ip0(
      ...['link', 'add', name, 'netns', netns, 'type', 'veth', 'peer', 'name', other.link],
      'netns',
      namespace(other.place),
    );
  }

  function mac(place: string, link: string) {
    return on(place, 'cat', `/sys/class/net/${link}/address`).trim();
  }
}
