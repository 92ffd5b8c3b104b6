import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { Api } from './api.ts';
import { type Binaries, ensureBinaries } from './binaries.ts';
import { type EgressEntry, readEgressLog } from './egress.ts';
import { isAlive } from './file-lock.ts';
import type { Pace } from './kwok-config.ts';
import { aNode, createNode, type NodeWish, standardNodes } from './nodes.ts';
import {
  egressLogFile,
  kubeconfigFile,
  type operatorLikes,
  type PlanePlan,
  type PlaneState,
  planFile,
  readState,
  stateFile,
} from './plane-state.ts';
import type { ClusterKind } from './standard-cluster.ts';
import type { UserName } from './users.ts';

export type PlaneOptions = {
  /** Left out: a new folder under the system's temporary one, removed by `stop`. */
  readonly dir?: string;
  readonly kind?: ClusterKind;
  /** How many standard nodes, or exactly which. */
  readonly nodes?: number | readonly NodeWish[];
  readonly pace?: Pace;
  readonly like?: (typeof operatorLikes)[number];
  readonly lives?: PlanePlan['lives'];
  readonly components?: PlanePlan['components'];
  readonly report?: (line: string) => void;
};

/** A control plane that runs. Every method rejects with a sentence when the plane is gone. */
export type Plane = {
  readonly dir: string;
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly supervisorPid: number;
  readonly binaries: Binaries;
  /** For child processes: this environment with KUBECONFIG and nothing else that would lead to another cluster. */
  readonly env: NodeJS.ProcessEnv;
  readonly api: Api;
  kubeconfigFor(user: UserName): string;
  state(): PlaneState;
  egressLog(): readonly EgressEntry[];
  stopApiServer(): Promise<void>;
  /** Back at the same address with the same data; resolves when it is ready. */
  startApiServer(): Promise<void>;
  stopOperator(): Promise<void>;
  startOperator(): Promise<void>;
  addNodes(wishes: readonly NodeWish[]): Promise<void>;
  /** Ends every process and removes a folder that was made for it. */
  stop(): Promise<void>;
};

const startWithinMs = 90_000;
const stopWithinMs = 20_000;

/** Starts a control plane and resolves when it is ready and holds what was asked for. Rejects with the supervisor's own sentence. */
export async function startControlPlane(options: PlaneOptions = {}): Promise<Plane> {
  const binaries = await ensureBinaries(options.report ? { report: options.report } : {});
  const temporary = options.dir === undefined;
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'signalbox-cluster-'));
  clearFolder(dir);
  const nodes = options.nodes ?? 4;
  const plan: PlanePlan = {
    dir,
    kind: options.kind ?? 'standard',
    nodes: typeof nodes === 'number' ? standardNodes(nodes) : nodes.map((node) => ({ ...node })),
    pace: options.pace ?? 'normal',
    like: options.like ?? 'signalbox',
    lives: options.lives ?? 'with-parent',
    components: options.components ?? 'all',
    binaries,
  };
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  writeFileSync(planFile(dir), `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 });

  const log = openSync(join(dir, 'supervisor.log'), 'a');
  const supervisor = spawn(process.execPath, [...nodeFlags, join(import.meta.dirname, 'supervisor.ts'), dir], {
    stdio: [plan.lives === 'with-parent' ? 'pipe' : 'ignore', log, log],
    detached: true,
  });
  supervisor.unref();
  // The pipe must live as long as we do, without keeping us alive.
  if (supervisor.stdin && 'unref' in supervisor.stdin) (supervisor.stdin as unknown as { unref(): void }).unref();
  let ended: string | null = null;
  supervisor.once('error', (error) => (ended = error.message));
  supervisor.once('exit', () => (ended ??= `the supervisor ended; see ${join(dir, 'supervisor.log')}`));

  let told = '';
  for (const deadline = Date.now() + startWithinMs; ; await sleep(50)) {
    const state = readState(dir);
    if (state && state.sentence !== told) {
      told = state.sentence;
      options.report?.(told);
    }
    if (state?.phase === 'ready') break;
    const failure = state?.phase === 'failed' ? state.sentence : ended;
    if (failure !== null) throw new Error(`The control plane did not start: ${failure}`);
    if (Date.now() > deadline) {
      supervisor.kill('SIGTERM');
      throw new Error(`The control plane did not start within ${startWithinMs / 1000} s; it was at: ${told}`);
    }
  }
  const plane = connectToPlane(dir, binaries);
  return {
    ...plane,
    async stop() {
      await plane.stop();
      if (temporary) rmSync(dir, { recursive: true, force: true });
    },
  };
}

const nodeFlags = ['--disable-warning=ExperimentalWarning'];

/** The plane that runs in a folder. Throws when there is none. */
export function connectToPlane(dir: string, binaries: Binaries): Plane {
  const first = readState(dir);
  if (!first || !isAlive(first.pid)) throw new Error(`No control plane runs in ${dir}.`);
  const command = (path: string) => post(first.control, path);
  const kubeconfig = kubeconfigFile(dir, 'admin');
  const api = adminApi(dir);
  return {
    dir,
    url: first.url,
    kubeconfig,
    supervisorPid: first.pid,
    binaries,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    api,
    kubeconfigFor: (user) => kubeconfigFile(dir, user),
    state: () => readState(dir) ?? first,
    egressLog: () => readEgressLog(egressLogFile(dir)),
    stopApiServer: () => command('/api-server/stop'),
    startApiServer: () => command('/api-server/start'),
    stopOperator: () => command('/operator/stop'),
    startOperator: () => command('/operator/start'),
    async addNodes(wishes) {
      const { gitVersion } = await api.get<{ gitVersion: string }>('/version');
      for (const wish of wishes) await createNode(api, aNode(wish, gitVersion));
    },
    async stop() {
      api.close();
      await stopSupervisor(first);
    },
  };
}

/** Ends a supervisor and with it all that it started: politely, then with SIGKILL (its children die with it). */
export async function stopSupervisor(state: PlaneState): Promise<void> {
  if (!isAlive(state.pid)) return;
  await post(state.control, '/stop').catch(() => process.kill(state.pid, 'SIGTERM'));
  for (const deadline = Date.now() + stopWithinMs; isAlive(state.pid); await sleep(50)) {
    if (Date.now() > deadline) {
      process.kill(state.pid, 'SIGKILL');
      return;
    }
  }
}

/** An administrator's client for the plane in a folder, from its kubeconfig. */
export function adminApi(dir: string): Api {
  const config = parse(readFileSync(kubeconfigFile(dir, 'admin'), 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
    users: [{ user: { token: string } }];
  };
  const { cluster } = config.clusters[0];
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
  return new Api({ url: cluster.server, ca, token: config.users[0].user.token });
}

/** Only a folder that is empty, or that a control plane of ours left behind, is ever cleared. */
export function clearFolder(dir: string): void {
  if (!existsSync(dir)) return;
  const names = readdirSync(dir);
  if (names.length === 0) return;
  if (!existsSync(planFile(dir)))
    throw new Error(`${dir} holds something that is not a control plane of ours; it is left alone.`);
  const state = existsSync(stateFile(dir)) ? readState(dir) : null;
  if (state && state.phase !== 'stopped' && state.phase !== 'failed' && isAlive(state.pid)) {
    throw new Error(`A control plane runs in ${dir} already (process ${state.pid}).`);
  }
  rmSync(dir, { recursive: true, force: true });
}

function post(socketPath: string, path: string): Promise<void> {
  return new Promise((done, failed) => {
    const sent = request({ socketPath, path, method: 'POST' }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () => (response.statusCode === 204 ? done() : failed(new Error(body))));
    });
    sent.on('error', failed);
    sent.end();
  });
}
