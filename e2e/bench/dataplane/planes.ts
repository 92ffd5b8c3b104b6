import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iptablesRules, nftablesRules, type RuledService } from '#e2e/dataplane/testing/kube-proxy-rules.ts';
import { type NodePlane, nodePlane, podNetwork, podPort } from '#e2e/dataplane/testing/node-plane.ts';
import { type Topology, topology } from '#e2e/dataplane/testing/topology.ts';
import { configFlags, serviceFlags } from '#lib/node/bpf/index.ts';
import type { Options } from './figures.ts';
import { programTimes } from './program-times.ts';
import { ranNs } from './ran.ts';

/** Client and servers share one core: what one unit of work costs is what it costs the processor. */
const core = '0';
const servicePort = 80;
const nodePort = 30_080;

type Load = 'connections' | 'ping' | 'datagrams' | 'upload' | 'download';

/** `rate`: a second, in bytes of bulk. `cpuUs`: of client, servers and what the kernel does for them beside, for each; p50 and p99 in µs. */
export type Sample = {
  readonly rate: number;
  readonly cpuUs: number;
  readonly p50: number;
  readonly p99: number;
  /** How much of the core somebody else had meanwhile, 0 to 1. */
  readonly foreign: number;
};

export type Way = {
  /** From a pod to backends on its node; from a client outside to a node that has none, to a backend on another one. */
  readonly from: 'pod' | 'outside';
  readonly load: Load;
  /** Segments are made by the sender, one packet each. */
  readonly withoutGso?: true;
  readonly dsr?: true;
};

export type Plane = {
  readonly name: string;
  readonly ask: (way: Way) => Promise<Sample>;
  /** The time of its eBPF programs since it began, as text; empty if it has none. */
  readonly profile: () => string;
  readonly close: () => Promise<void>;
};

/** Prefix of the plane's name for an object file other than the package's own; the path follows. */
export const ofObject = 'signalbox:';

/** `signalbox`, kube-proxy's two kinds of rules, the way without a Service, and other objects. */
export const kindsOf = ({ nft, objects }: Options): readonly string[] => [
  'signalbox',
  ...objects.map((path) => `${ofObject}${path}`),
  'iptables',
  ...(nft ? ['nftables'] : []),
  'direct',
];

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, 'load');

/** Namespaces of its own for each, so that nothing is torn down between two samples; who is not asked costs nothing. */
export async function startPlane(kind: string, services: number, way: Way, options: Options): Promise<Plane> {
  execFileSync('gcc', ['-O2', '-o', program, join(import.meta.dirname, 'load.c')]);
  const outside = way.from === 'outside';
  const nodes = outside ? ['node1', 'node2'] : ['node1'];
  const servers = outside ? ['b'] : ['b', 'c', 'd'];
  const pods = [
    ...(outside ? [] : [{ pod: 'a', node: 'node1' }]),
    ...servers.map((pod) => ({ pod, node: outside ? 'node2' : 'node1' })),
  ];
  const client = outside ? 'client' : 'a';
  const net = topology(nodes, pods);
  const ends: (() => unknown)[] = [() => net.close()];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    if (way.withoutGso)
      for (const place of ['router', ...nodes, 'client', ...pods.map(({ pod }) => pod)]) segmentsAlone(net, place);
    const endpoints = servers.map((pod) => net.addresses(pod).v4);
    const ruled: RuledService[] = Array.from({ length: services }, (_, index) => ({
      name: `service-${index}`,
      address: `10.96.${index >> 8}.${index & 255}`,
      port: servicePort,
      protocol: way.load === 'datagrams' ? 'udp' : 'tcp',
      endpoints: endpoints.map((one) => `${one}:${podPort}`),
      ...(outside && index === services >> 1 ? { nodePort } : {}),
    }));
    const serve = way.load === 'datagrams' ? 'serve-datagrams' : 'serve';
    const running = await Promise.all(servers.map((pod) => serving(net, pod, serve)));
    ends.push(...running.map(({ end }) => end));
    const planes: NodePlane[] = [];
    let asked = 0;
    const object = kind.startsWith(ofObject) ? kind.slice(ofObject.length) : undefined;
    if (kind === 'signalbox' || object)
      for (const node of nodes) {
        const plane = nodePlane(net, node, { nodes, pods, ...(object && { object }) });
        ends.push(plane.close);
        planes.push(plane);
        // As an agent that serves packets of pods has it: their datagrams are translated one by one.
        const { synced, dsr, udpOfHostAlone } = configFlags;
        plane.configure(synced | udpOfHostAlone | (way.dsr ? dsr : 0));
        plane.serve(
          ...ruled.flatMap(({ address, port, nodePort: ofNodes }) => [
            { address, port, backends: servers },
            ...(ofNodes === undefined
              ? []
              : [
                  {
                    address: '0.0.0.0',
                    port: ofNodes,
                    backends: servers,
                    flags: serviceFlags.nodePort,
                    id: services + 1,
                  },
                ]),
          ]),
        );
      }
    // As kube-proxy's DaemonSet has it: every node has the rules.
    else if (kind === 'iptables')
      on(net, nodes, ['iptables-nft-restore', '--noflush'], iptablesRules(ruled, podNetwork));
    else if (kind === 'nftables') on(net, nodes, ['nft', '-f', '-'], nftablesRules(ruled, podNetwork));
    const service = outside ? net.addresses('node1').v4 : (ruled[services >> 1]?.address ?? '');
    const targets = kind === 'direct' ? endpoints : [service];
    const port = kind === 'direct' ? podPort : outside ? nodePort : servicePort;
    const beside = [...running.map(({ pid }) => pid), softIrqPid()];
    const cgroup = outside ? null : net.cgroup('node1');
    return {
      name: kind,
      async ask({ load }) {
        const before = beside.map(ranNs);
        const busy = busySeconds();
        const args = [load, String(options.seconds), String(port), ...targets];
        const text = await output(within(net, client, args, cgroup));
        const [done = 0, wall = 0, own = 0, p50 = 0, p99 = 0] = text.trim().split(' ').map(Number);
        const others = beside.reduce((sum, pid, at) => sum + ranNs(pid) - (before[at] ?? 0), 0) / 1e9;
        asked += done;
        const foreign = Math.max(0, busySeconds() - busy - own - others) / wall;
        return { rate: done / wall, cpuUs: ((own + others) / done) * 1e6, p50, p99, foreign };
      },
      profile: () =>
        options.profile ? planes.map(({ plane }) => programTimes(plane, asked)).join('; on the other node: ') : '',
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function within(net: Topology, place: string, args: readonly string[], cgroup: string | null) {
  const enter = cgroup === null ? '' : `echo $$ >${cgroup}/cgroup.procs; `;
  const command = `${enter}exec taskset -c ${core} "$@"`;
  return spawn('ip', ['netns', 'exec', net.namespace(place), 'sh', '-c', command, 'sh', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function serving(net: Topology, pod: string, serve: string) {
  const child = within(net, pod, [serve, String(podPort)], null);
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    async end() {
      child.kill();
      await ended;
    },
  };
}

async function output(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (data) => {
    text += data;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a client ended with ${code}`);
  return text;
}

function on(net: Topology, nodes: readonly string[], command: readonly string[], input: string): void {
  for (const node of nodes)
    execFileSync('ip', ['netns', 'exec', net.namespace(node), ...command], {
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
}

/** No link there takes more than one segment at once. */
function segmentsAlone(net: Topology, place: string): void {
  for (const link of net.on(place, 'ls', '/sys/class/net').trim().split('\n'))
    if (link !== 'lo') net.on(place, 'ip', 'link', 'set', 'dev', link, 'gso_max_segs', '1');
}

/** How long the core has worked, for whomever: all but idle and iowait (proc_stat(5), in hundredths of a second). */
function busySeconds(): number {
  const line = readFileSync('/proc/stat', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`cpu${core} `));
  const [, user, nice, system, , , irq, softIrq, steal] = (line ?? '').split(' ').map(Number);
  return [user, nice, system, irq, softIrq, steal].reduce<number>((sum, one) => sum + (one ?? 0), 0) / 100;
}

/** Where the kernel goes on with packets that were too many for whoever sent them. */
function softIrqPid(): number {
  const found = readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && commandOf(pid) === `ksoftirqd/${core}`);
  return Number(found ?? 0);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
