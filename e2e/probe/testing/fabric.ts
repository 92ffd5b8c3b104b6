import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  choosePartners,
  measurementsOf,
  type NodeReport,
  type Partners,
  type ProbedNode,
  type ProbeSettings,
  parseLines,
  partnersOf,
  probeEnvironment,
  scriptOf,
} from '#lib/probe/index.ts';
import { felixDefaults } from '#lib/spec/index.ts';
import { probeTools } from './probe-tools.ts';

/** `network`: the subnet of each node, all joined by one router. `link`: what the node calls its interface. */
export type FabricNode = { readonly name: string; readonly network: number; readonly link?: string };

export type Fabric = {
  /** Runs a program in a node's network. */
  on(node: string, ...command: string[]): string;
  onRouter(...command: string[]): string;
  /** Of the first family unless another is named. */
  address(node: string, family?: 4 | 6): string;
  /** The router's side of a node's link. */
  routerLink(node: string): string;
  /** What the node's hosts file and resolver know, from now on. */
  knows(node: string, hosts: string): void;
  probe(options?: Probing): Probe;
  /** Runs a pod's script on a node, until the fabric is closed; `tell` gets what it prints. */
  runs(
    node: string,
    pod: { env: Readonly<Record<string, string>>; script: string },
    tell: (text: string) => void,
  ): ChildProcess;
  close(): void;
};

type Probing = {
  endpoint?: ProbeSettings['endpoint'];
  apiServers?: NonNullable<ProbeSettings['apiServers']>;
  services?: NonNullable<ProbeSettings['services']>;
  /** By node, another in whose network its pod lives; left out: nodes have none. */
  pods?: Readonly<Record<string, string>>;
  /** Shell commands before the script, in the node's own mount namespace. */
  prepare?: Readonly<Record<string, string>>;
  run?: number;
  flexVolumeFolder?: string;
  dsr?: boolean;
  /** By place of nodes, where not everybody tests with everybody. */
  partners?: Partners;
};

type Probe = {
  log(node: string): string;
  process(node: string): ChildProcess;
  /** As the preflight judges it, once all but so many paths have brought something, and packets of full size, and nothing more came for a while. */
  measured(lacking?: {
    all?: number;
    full?: number;
    answers?: number;
    foreign?: number;
  }): Promise<ReturnType<typeof measurementsOf>>;
  /** As a kubelet ends a pod. */
  end(): Promise<void>;
};

let made = 0;

type Family = 4 | 6;

/** Nodes as network namespaces of this kernel, each on a subnet of its own behind one router, 10.77.<network>.0/24 or fd77:0:0:<network>::/64, or both. */
export function fabric(nodes: readonly FabricNode[], ...families: readonly Family[]): Fabric {
  const [first = 4] = families;
  const id = `sb${randomBytes(4).toString('hex')}`;
  made++;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-fabric-'));
  const namespace = (node: string) => `${id}-${node}`;
  const ip = (...args: string[]) => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const within = (name: string, command: readonly string[]) => ip('netns', 'exec', name, ...command);
  const router = namespace('router');
  const all = [router, ...nodes.map(({ name }) => namespace(name))];
  const inNetwork = (family: Family, network: number, host: number) =>
    family === 4 ? `10.77.${network}.${host}` : `fd77:0:0:${network}::${host}`;
  const address = (node: string, family = first) =>
    inNetwork(family, nodes.find(({ name }) => name === node)?.network ?? 0, 2);
  const routerLink = (node: string) => `r${nodes.findIndex(({ name }) => name === node)}`;

  ip('netns', 'add', router);
  within(router, ['sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1']);
  ip('-n', router, 'link', 'set', 'lo', 'up');
  for (const { name, network, link = 'eth0' } of nodes) {
    const own = namespace(name);
    ip('netns', 'add', own);
    ip('link', 'add', link, 'netns', own, 'type', 'veth', 'peer', 'name', routerLink(name), 'netns', router);
    for (const family of new Set([first, ...families])) {
      const [length, quick] = family === 4 ? [24, []] : [64, ['nodad']];
      ip('-n', own, 'addr', 'add', `${inNetwork(family, network, 2)}/${length}`, 'dev', link, ...quick);
      ip('-n', router, 'addr', 'add', `${inNetwork(family, network, 1)}/${length}`, 'dev', routerLink(name), ...quick);
    }
    for (const [where, device] of [
      [own, 'lo'],
      [own, link],
      [router, routerLink(name)],
    ] as const)
      ip('-n', where, 'link', 'set', device, 'up');
    for (const family of new Set([first, ...families]))
      ip('-n', own, 'route', 'add', 'default', 'via', inNetwork(family, network, 1));
  }

  const isDual = families.length === 2;
  const tools = onlyTools(folder);
  const running: ChildProcess[] = [];

  const runs = (
    node: string,
    { env, script }: { env: Readonly<Record<string, string>>; script: string },
    tell: (text: string) => void,
    prepare = ':',
  ): ChildProcess => {
    // A process namespace of its own: process 1, whose mounts the script looks at, is then the shell before it.
    const shell = `${prepare}; exec env -i PATH=${tools} "$@"`;
    const environment = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const child = spawn(
      'ip',
      [
        ...['netns', 'exec', namespace(node), 'unshare', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
        ...['bash', '-c', shell, 'bash', ...environment, 'bash', '-c', script],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    running.push(child);
    child.stdout.setEncoding('utf8').on('data', tell);
    child.stderr.setEncoding('utf8').on('data', tell);
    return child;
  };

  const probe = (probing: Probing = {}): Probe => {
    const { endpoint = null, prepare = {}, run = 4660 + made, pods = {}, ...rest } = probing;
    const partners = rest.partners ?? choosePartners(nodes.map(() => ({})));
    const groupOf = (node: string) =>
      partners.groups.findIndex((group) => group.some((place) => nodes[place]?.name === node));
    const asked: ProbedNode[] = nodes.map(({ name }) => ({
      name,
      distribution: { id: 'debian' },
      architecture: 'amd64',
      address: address(name),
      ...(isDual ? { addressV6: address(name, 6) } : {}),
    }));
    const settings: ProbeSettings = {
      run,
      image: '',
      endpoint,
      addresses: asked.map((node) => node.address),
      ...(isDual ? { addressesV6: nodes.map(({ name }) => address(name, 6)) } : {}),
      vxlanPort: felixDefaults.vxlanPort,
      cgroupFolder: felixDefaults.cgroupV2Path,
      ...rest,
      nodeSelector: {},
      podNetwork: 'not-yet',
    };
    const logs = new Map<string, string>();
    const processes = new Map<string, ChildProcess>();
    for (const { name } of nodes) {
      const append = (text: string) => logs.set(name, (logs.get(name) ?? '') + text);
      const child = runs(
        name,
        { env: probeEnvironment('host', settings, groupOf(name)), script: scriptOf('host', settings) },
        append,
        prepare[name],
      );
      processes.set(name, child);
    }
    const log = (node: string) => logs.get(node) ?? '';
    for (const [node, place] of Object.entries(pods)) {
      const append = (text: string) => logs.set(podOf(node), log(podOf(node)) + text);
      runs(place, { env: probeEnvironment('pod', settings), script: scriptOf('pod', settings) }, append);
    }
    const podLines = (node: string) =>
      pods[node] === undefined ? { because: 'there is none' } : parseLines(log(podOf(node)));
    const reports = (): NodeReport[] =>
      nodes.map(({ name }) => ({ node: name, host: parseLines(log(name)), pod: podLines(name) }));
    const paths = partnersOf(partners).flat().length * (isDual ? 2 : 1);
    const arrivals = (sizes: readonly string[]) =>
      nodes.reduce((sum, { name }) => {
        const peers = parseLines(log(name)).flatMap((line) =>
          line.probe === 'vxlan' && sizes.includes(line.arrives) ? [line.peer] : [],
        );
        return sum + new Set(peers).size;
      }, 0);
    return {
      log,
      process: (node) => processes.get(node) as ChildProcess,
      measured: async ({ all = 0, full = 0, answers = 0, foreign = 0 } = {}) => {
        const logExcerpt = () => nodes.map(({ name }) => `${name}: ${vxlanLines(log(name))}`).join('\n');
        const hasReported = ({ name }: FabricNode) =>
          /"vxlan-(sending|not)"/.test(log(name)) && log(name).includes('"measured"');
        await until(() => nodes.every(hasReported), 120_000, logExcerpt);
        await until(
          () => Object.keys(pods).every((node) => log(podOf(node)).includes('"measured"')),
          60_000,
          logExcerpt,
        );
        await until(
          () => arrivals(['small', 'full']) >= paths - all && arrivals(['full']) >= paths - all - full,
          120_000,
          logExcerpt,
        );
        const lineCount = (probe: string) =>
          nodes.reduce((sum, { name }) => sum + log(name).split(`"${probe}"`).length - 1, 0);
        await until(() => lineCount('vxlan-answer') >= answers, 60_000, logExcerpt);
        if (rest.dsr)
          await until(
            () => lineCount('dsr-sending') + lineCount('dsr-not') >= nodes.length && lineCount('dsr') >= foreign,
            60_000,
            logExcerpt,
          );
        if (all + full > 0 || rest.dsr) await new Promise((resolve) => setTimeout(resolve, 3_000));
        const { apiServers = [], services } = settings;
        return measurementsOf(
          {
            ...{ nodes: asked, endpoint, apiServers, interfacePattern: null, release: 'v3.31.4' },
            ...{ partners, dsr: rest.dsr === true, ...(services && { services }) },
          },
          reports(),
        );
      },
      end: async () => {
        for (const { name } of nodes) signalInside(processes.get(name), 'TERM');
        await Promise.all([...processes.values()].map(ended));
      },
    };
  };

  return {
    on: (node, ...command) => within(namespace(node), command),
    onRouter: (...command) => within(router, command),
    address,
    routerLink,
    knows: (node, hosts) => {
      const place = join('/etc/netns', namespace(node));
      mkdirSync(place, { recursive: true });
      writeFileSync(join(place, 'hosts'), hosts);
      // Nobody answers there: what the hosts file does not know is not known.
      writeFileSync(join(place, 'resolv.conf'), 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n');
    },
    probe,
    runs,
    close: () => {
      for (const child of running) child.kill('SIGKILL');
      for (const name of all) {
        try {
          ip('netns', 'del', name);
        } catch {
          // Never made, or gone: the others go all the same.
        }
        rmSync(join('/etc/netns', name), { recursive: true, force: true });
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Under this name its log is kept. */
const podOf = (node: string) => `pod of ${node}`;

const vxlanLines = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"vxlan') || line.includes('"dsr') || !line.startsWith('{'))
    .join(' ');

/** A folder with the programs of the images of all releases that this machine has, and no others. */
function onlyTools(folder: string): string {
  const tools = join(folder, 'bin');
  mkdirSync(tools);
  const path = '/usr/sbin:/usr/bin:/sbin:/bin';
  for (const program of probeTools) {
    try {
      const found = execFileSync('which', [program], { encoding: 'utf8', env: { PATH: path }, stdio: 'pipe' }).trim();
      symlinkSync(found, join(tools, program));
    } catch {
      // Of Calico's own alone: the script does without them here.
    }
  }
  return tools;
}

/** To the script: `ip` and `unshare` stand before it. */
function signalInside(child: ChildProcess | undefined, signal: 'TERM' | 'KILL'): void {
  if (!child?.pid) return;
  const script = insideOf(child.pid);
  if (script !== null) process.kill(script, `SIG${signal}`);
}

/** The first child of unshare. */
export function insideOf(pid: number): number | null {
  try {
    const children = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return Number(children[0]);
  } catch {
    return null;
  }
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once('exit', () => done()));
}

/** `found`: the state at the deadline, for the message of the error. */
async function until(holds: () => boolean, ms: number, found: () => string): Promise<void> {
  const deadline = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`it did not come in ${ms / 1000} s:\n${found()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Of the boot clock, in ms. */
type Span = { readonly from: number; readonly to: number };

/** `starved`: when it had no core, as it saw itself: whoever asked it meanwhile rightly had no answer. */
export type Server = { close(): void; starved(): Span[] };

/** Something that takes connections on a node, or at the router. */
export function listener(on: Fabric, port: number, node: string | null = null): Promise<Server> {
  const script = `require('node:net').createServer((one) => one.end()).listen(${port})`;
  return serving((...command) => (node === null ? on.onRouter(...command) : on.on(node, ...command)), port, script);
}

/**
 * Something that answers every whole question at port 53 of an address of the router, or of a node, over UDP and TCP: the answer comes from the address that
 * was asked. A datagram that is a part of one gets none. `flags`: of its answers, as `answerOf` makes them. `unanswered`: so many questions over TCP get no
 * answer before the others do.
 */
export function dnsServer(
  on: Fabric,
  at = '10.77.1.1',
  node: string | null = null,
  flags = answerOf(0),
  unanswered = 0,
): Promise<Server> {
  const family = at.includes(':') ? 6 : 4;
  return serving(
    (...command) => (node === null ? on.onRouter(...command) : on.on(node, ...command)),
    53,
    `const udp = require('node:dgram').createSocket('udp${family}');
    const isWhole = (message, at = 12) => {
      while (message[at] > 0) at += message[at] + 1;
      return message.length === at + 5;
    };
    const answer = (message, at) => {
      const { and, or } = ${JSON.stringify(flags)};
      message.writeUInt16BE((message.readUInt16BE(at) & and) | or, at);
      return message;
    };
    udp.on('message', (message, { port, address }) => isWhole(message) && udp.send(answer(message, 2), port, address)).bind(53, '${at}');
    let unanswered = ${unanswered};
    const take = (one) =>
      one
        .on('error', () => {})
        .on('data', (message) => isWhole(message.subarray(2)) && unanswered-- <= 0 && one.end(answer(message, 4)));
    require('node:net').createServer(take).listen(53, '${at}');`,
    at,
  );
}

/** Of an answer to a question's flags: that it is one (QR), its code, and what is kept of the question (0x0110: what RFC 4035 §3.2.2 and RFC 1035 ask for). */
export const answerOf = (code: number, keeps = 0x0110) => ({ and: keeps, or: 0x8000 | code });

/** Half of what a question waits for its answer at the fastest pace. */
const starvedAfterMs = 50;

/** Prints when its clock stood still, in ms of the boot clock, which has tens of them. */
const tellsWhenStarved = `const up = () => Number(require('node:fs').readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000;
  let before = performance.now();
  setInterval(() => {
    const now = performance.now();
    if (now - before > ${starvedAfterMs}) {
      const to = Math.round(up());
      console.log(to - Math.round(now - before), to);
    }
    before = now;
  }, 10);`;

/** Before whatever else wants a core, where that may be had: what is tested is who asks. */
const first = 'chrt --fifo 1 true 2>/dev/null && set -- chrt --fifo 1 "$@"';

async function serving(
  run: (...command: string[]) => string,
  port: number,
  script: string,
  at = '127.0.0.1',
): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-server-'));
  const starvedFile = join(folder, 'starved');
  const shell = `starved=$1; shift; ${first}; "$@" >"$starved" 2>/dev/null & echo $!`;
  const pid = run('sh', '-c', shell, 'sh', starvedFile, process.execPath, '-e', `${tellsWhenStarved}\n${script}`);
  await until(
    () => {
      try {
        run('bash', '-c', `exec 3<>/dev/tcp/${at}/${port}`);
        return true;
      } catch {
        return false;
      }
    },
    60_000,
    () => 'nobody answers at the port',
  );
  return {
    close: () => {
      process.kill(Number(pid.trim()), 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    starved: () =>
      readFileSync(starvedFile, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [from = 0, to = 0] = line.split(' ').map(Number);
          return { from, to };
        }),
  };
}
