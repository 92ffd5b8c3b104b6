/**
 * `npm run bench:dataplane [-- --services=10,1000 --rounds=11 --seconds=1]`: connections of a pod to a ClusterIP, by the eBPF programs, by kube-proxy's rules
 * (iptables, and nftables where `nft` is there) and to a pod directly, in turns in one run. Root; not part of `npm test`. Client and servers share one core: a
 * connection costs what it costs the processor, and figures are ratios. `--profile=1` says what of it are the programs, and makes them a little slower.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere } from '#e2e/dataplane/testing/can-run-programs.ts';
import { iptablesRules, nftablesRules, type RuledService } from '#e2e/dataplane/testing/kube-proxy-rules.ts';
import { type NodePlane, nodePlane, podPort } from '#e2e/dataplane/testing/node-plane.ts';
import { type Topology, topology } from '#e2e/dataplane/testing/topology.ts';
import { countProgramTimes, programTimes } from './program-times.ts';

const given = Object.fromEntries(
  process.argv.slice(2).map((one) => one.replace(/^--/, '').split('=') as [string, string]),
);
const scales = (given.services ?? '10,1000').split(',').map(Number);
const rounds = Number(given.rounds ?? 11);
const seconds = Number(given.seconds ?? 1);

const core = '0';
const nodes = ['node1'];
const servers = ['b', 'c', 'd'];
const pods = ['a', ...servers].map((pod) => ({ pod, node: 'node1' }));
const podNetwork = '10.89.0.0/16';
const servicePort = 80;

type Sample = { readonly rate: number; readonly cpuUs: number; readonly p50: number; readonly p99: number };
type Plane = {
  readonly name: string;
  readonly ask: () => Promise<Sample>;
  /** What programs have taken since it began; empty where it has none. */
  readonly profile: () => string;
  readonly close: () => Promise<void>;
};

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const program = join(folder, 'connections');
execFileSync('gcc', ['-O2', '-o', program, join(import.meta.dirname, 'connections.c')]);
const hasNft = isThere('nft');
if (!hasNft) console.log('nftables is left out: there is no nft (Debian: nftables).');

if (given.profile) process.once('exit', countProgramTimes());
for (const count of scales) {
  const planes: Plane[] = [];
  try {
    for (const kind of ['signalbox', 'iptables', ...(hasNft ? ['nftables'] : []), 'direct'])
      planes.push(await start(kind, count));
    await measure(count, planes);
  } finally {
    for (const plane of planes) await plane.close();
  }
}
rmSync(folder, { recursive: true });

async function measure(count: number, planes: readonly Plane[]): Promise<void> {
  const samples = new Map(planes.map(({ name }) => [name, [] as Sample[]]));
  for (let round = -1; round < rounds; round++)
    // Whoever comes first differs from round to round; the first round is for caches alone.
    for (let at = 0; at < planes.length; at++) {
      const plane = planes[(at + Math.max(round, 0)) % planes.length];
      const sample = await plane?.ask();
      if (plane && sample && round >= 0) samples.get(plane.name)?.push(sample);
    }
  console.log(
    `${count} services, ${rounds} rounds of ${seconds} s, one core for client and servers, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const [name, all] of samples) {
    const of = (field: keyof Sample) => median(all.map((one) => one[field])).toFixed(field === 'rate' ? 0 : 1);
    console.log(
      `  ${name.padEnd(9)} ${of('rate')} connections/s, ${of('cpuUs')} µs of CPU each, connect p50 ${of('p50')} µs, p99 ${of('p99')} µs`,
    );
  }
  for (const text of planes.map(({ profile }) => profile()).filter(Boolean))
    console.log(`  programs a connection: ${text}`);
  const own = samples.get('signalbox') ?? [];
  for (const [name, others] of samples) {
    if (name === 'signalbox') continue;
    const ratio = (of: (mine: Sample, other: Sample) => number) => {
      const all = own.map((mine, at) => of(mine, others[at] ?? mine)).sort((a, b) => a - b);
      const quarter = Math.floor(all.length / 4);
      return `${median(all).toFixed(2)} (${all[quarter]?.toFixed(2)}–${all.at(-1 - quarter)?.toFixed(2)})`;
    };
    console.log(
      `  better than ${name} by: connections/s ${ratio((mine, other) => mine.rate / other.rate)}, CPU ${ratio((mine, other) => other.cpuUs / mine.cpuUs)}, p50 ${ratio((mine, other) => other.p50 / mine.p50)}, p99 ${ratio((mine, other) => other.p99 / mine.p99)}`,
    );
  }
}

/** Namespaces of its own for each, so that nothing is torn down between two samples; who is not asked costs nothing. */
async function start(kind: string, count: number): Promise<Plane> {
  const net = topology(nodes, pods);
  const ends: (() => unknown)[] = [() => net.close()];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  const endpoints = servers.map((pod) => net.addresses(pod).v4);
  const services: RuledService[] = Array.from({ length: count }, (_, index) => ({
    name: `service-${index}`,
    address: `10.96.${index >> 8}.${index & 255}`,
    port: servicePort,
    endpoints: endpoints.map((one) => `${one}:${podPort}`),
  }));
  try {
    const running = await Promise.all(servers.map((pod) => serving(net, pod)));
    ends.push(...running.map(({ end }) => end));
    let plane: NodePlane | null = null;
    let asked = 0;
    if (kind === 'signalbox') {
      plane = nodePlane(net, 'node1', { nodes, pods });
      ends.push(plane.close);
      plane.serve(...services.map(({ address, port }) => ({ address, port, backends: servers })));
    } else if (kind === 'iptables') on(net, ['iptables-nft-restore', '--noflush'], iptablesRules(services, podNetwork));
    else if (kind === 'nftables') on(net, ['nft', '-f', '-'], nftablesRules(services, podNetwork));
    const targets = kind === 'direct' ? endpoints : [services[count >> 1]?.address ?? ''];
    const port = kind === 'direct' ? podPort : servicePort;
    const args = ['ask', String(seconds), String(port), ...targets];
    return {
      name: kind,
      async ask() {
        const before = running.map(({ pid }) => ranNs(pid));
        const text = await output(within(net, 'a', args, net.cgroup('node1')));
        const [connections = 0, wall = 0, own = 0, p50 = 0, p99 = 0] = text.trim().split(' ').map(Number);
        const ofServers = running.reduce((sum, { pid }, at) => sum + ranNs(pid) - (before[at] ?? 0), 0) / 1e9;
        asked += connections;
        return { rate: connections / wall, cpuUs: ((own + ofServers) / connections) * 1e6, p50, p99 };
      },
      profile: () => (plane && given.profile ? programTimes(plane.plane, asked) : ''),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function within(net: Topology, pod: string, args: readonly string[], cgroup: string | null) {
  const enter = cgroup === null ? '' : `echo $$ >${cgroup}/cgroup.procs; `;
  const command = `${enter}exec taskset -c ${core} "$@"`;
  return spawn('ip', ['netns', 'exec', net.namespace(pod), 'sh', '-c', command, 'sh', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function serving(net: Topology, pod: string) {
  const child = within(net, pod, ['serve', String(podPort)], null);
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

async function output(child: ReturnType<typeof within>): Promise<string> {
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`a client ended with ${code}`);
  return text;
}

function on(net: Topology, command: readonly string[], input: string): void {
  execFileSync('ip', ['netns', 'exec', net.namespace('node1'), ...command], {
    input,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

/** What a process has run, in ns (Documentation/scheduler/sched-stats.rst). */
function ranNs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
