import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { program as commands, ended, outputUntil, startProcess } from '#e2e/dataplane/testing/node-process.ts';
import type { Topology } from '#e2e/dataplane/testing/topology.ts';
import { bundleCommands } from '../../../scripts/start/bundled-commands.mjs';
import { ranNs } from './ran.ts';

/** An agent on `node1` of a topology, as a cluster has it: of an API server with so many Services, packets of its interfaces served too. */
export type BenchAgent = {
  /** Of the agent's own maps. */
  readonly pins: string;
  /** What its metrics say. */
  readonly metrics: () => ReadonlyMap<string, number>;
  /** One endpoint of this Service goes, or comes back; when, in ns of the monotonic clock. */
  readonly change: (index: number) => Promise<bigint>;
  readonly ranNs: () => number;
  readonly residentMb: () => number;
  readonly close: () => Promise<void>;
};

const listen = '127.0.0.1:9098';

export async function benchAgent(net: Topology, services: number, endpoints: readonly string[]): Promise<BenchAgent> {
  // As it is installed: from the sources it takes more memory, and longer to start.
  await bundleCommands();
  const within = ['netns', 'exec', net.namespace('node1')];
  const folder = join(net.bpffs, '..');
  const kubeconfig = join(folder, `kubeconfig-${services}`);
  const pins = join(net.bpffs, `agent-${services}`);
  const address = net.addresses('node1').v4;
  const program = [process.execPath, join(import.meta.dirname, 'service-api.ts')];
  const api = spawn('ip', [...within, ...program, String(services), 'node1', address, kubeconfig, ...endpoints], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: api.stdout })[Symbol.asyncIterator]();
  let agent: ChildProcess | null = null;
  const close = async () => {
    agent?.kill('SIGKILL');
    if (agent) await ended(agent);
    api.stdin.end();
    if (api.exitCode === null) await once(api, 'exit');
  };
  try {
    await lines.next();
    const started = startProcess([
      'ip',
      ...within,
      ...[...commands.installed, 'node', '--kubeconfig', kubeconfig, '--node-name', 'node1'],
      ...['--pod-iface', 'a,b,c,d', '--cgroup', net.cgroup('node1'), '--pins', pins, '--listen', listen],
      ...['--without-policy', 'I-understand', '--health-port', 'none'],
    ]);
    agent = started;
    const text = await outputUntil(started, /programs are attached/);
    if (!text.includes('programs are attached')) throw new Error(text);
    const pid = started.pid ?? 0;
    return {
      pins,
      metrics: () =>
        new Map(
          net
            .on('node1', 'curl', '-s', `http://${listen}/metrics`)
            .split('\n')
            .filter((line) => line !== '' && !line.startsWith('#'))
            .map((line) => line.split(' ') as [string, string])
            .map(([name, value]) => [name, Number(value)]),
        ),
      async change(index) {
        api.stdin.write(`change ${index}\n`);
        return BigInt((await lines.next()).value ?? 0);
      },
      ranNs: () => ranNs(pid),
      residentMb: () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
