import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { inParallel } from '#lib/base/async/in-parallel.ts';
import { compiledFolder } from '#lib/folders/index.ts';
import { emulatedOperators } from '#lib/operator/index.ts';
import { Api, requestsAtOnce } from './api.ts';
import { type Binaries, ensureBinaries } from './binaries.ts';
import { calicoFile } from './calico-files.ts';
import { type EgressEntry, readEgressLog } from './egress.ts';
import type { Pace } from './kwok-config.ts';
import { aNode, createNode, type NodeOptions, standardNodes } from './objects/nodes.ts';
import { type PlatformName, platformShapes } from './objects/platform-shapes.ts';
import { type ClusterKind, calicoVersionOf, type StandIn } from './objects/standard-cluster.ts';
import { egressLogFile, kubeconfigFile, type PlanePlan, type PlaneState, planFile, readState } from './plane-state.ts';
import { commandSupervisor, type SupervisorCommand, stopSupervisor, supervisorRuns } from './supervisor-control.ts';
import type { UserName } from './users.ts';

export type PlaneOptions = {
  /** By default a new folder under the system's temporary folder, removed by `stop`. */
  readonly dir?: string;
  readonly kind?: ClusterKind;
  /** The installer that the cluster looks made by; kubeadm by default. */
  readonly platform?: PlatformName;
  /** The number of standard nodes, or the exact nodes. */
  readonly nodes?: number | readonly NodeOptions[];
  readonly pace?: Pace;
  readonly like?: StandIn;
  /** IPv4 addresses beside 127.0.0.1 that the API server's certificate names. */
  readonly certified?: readonly string[];
  readonly lives?: PlanePlan['lives'];
  readonly components?: PlanePlan['components'];
  /** A folder with etcd's data to start with, from a plane with the same kind, platform, nodes and release (settled/). It is copied. */
  readonly data?: string;
  readonly report?: (line: string) => void;
};

/** A running control plane. Every method rejects with a sentence when the plane is gone. */
export type Plane = {
  readonly dir: string;
  readonly url: string;
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  readonly supervisorPid: number;
  readonly binaries: Binaries;
  /** For child processes: this process's environment with KUBECONFIG, and without variables that point to another cluster. */
  readonly env: NodeJS.ProcessEnv;
  readonly api: Api;
  kubeconfigFor(user: UserName): string;
  state(): PlaneState;
  egressLog(): readonly EgressEntry[];
  stopApiServer(): Promise<void>;
  /** Starts it again at the same address with the same data; resolves when it is ready. */
  startApiServer(): Promise<void>;
  stopOperator(): Promise<void>;
  startOperator(): Promise<void>;
  addNodes(nodes: readonly NodeOptions[]): Promise<void>;
  /** Ends every process, and removes the folder if it was made for the plane. */
  stop(): Promise<void>;
};

/** Where it finds one, the API server makes none of its own. */
function certify(folder: string, addresses: readonly string[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const names = ['DNS:localhost', ...['127.0.0.1', ...addresses].map((address) => `IP:${address}`)];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=kube-apiserver'];
  const files = ['-keyout', join(folder, 'apiserver.key'), '-out', join(folder, 'apiserver.crt')];
  execFileSync('openssl', [...made, '-addext', `subjectAltName=${names.join()}`, ...files], { stdio: 'ignore' });
}

const startWithinMs = 180_000;

/**
 * Starts a control plane; resolves when it is ready and has the objects that were asked for. Rejects with the supervisor's sentence.
 * If its API server was never ready, it is started once more at other ports: on a busy machine the API server may exit before etcd
 * answers it. On a real node the kubelet would restart it.
 */
export async function startControlPlane(options: PlaneOptions = {}): Promise<Plane> {
  const binaries = await ensureBinaries(options.report ? { report: options.report } : {});
  const kind = options.kind ?? 'standard';
  const like = options.like ?? emulatedOperators[0];
  if (kind === 'standard' || kind === 'bpf') await calicoFile(calicoVersionOf(like), 'operator-crds.yaml');
  const temporary = options.dir === undefined;
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), 'signalbox-cluster-'));
  const platform = options.platform ?? 'kubeadm';
  const nodes = options.nodes ?? (options.platform ? platformShapes[platform].nodes : 4);
  const plan: PlanePlan = {
    dir,
    kind,
    platform,
    nodes: typeof nodes === 'number' ? standardNodes(nodes) : nodes.map((node) => ({ ...node })),
    pace: options.pace ?? 'normal',
    like,
    lives: options.lives ?? 'with-parent',
    components: options.components ?? 'all',
    begins: options.data === undefined ? 'empty' : 'with-data',
    temporary,
    binaries,
  };
  let failed = await begin(plan, options);
  if (failed && !failed.served) {
    options.report?.(`${failed.sentence}; beginning once more`);
    failed = await begin(plan, options);
  }
  if (failed) throw new Error(`The control plane did not start: ${failed.sentence} (logs are in ${dir})`);
  return connectToPlane(dir, binaries);
}

type Failed = { readonly sentence: string; readonly served: boolean };

/** Resolves with null once the plane is ready, or with the reason when its supervisor ended first. Rejects when it takes too long. */
async function begin(plan: PlanePlan, { data, certified, report }: PlaneOptions): Promise<Failed | null> {
  const { dir } = plan;
  await clearFolder(dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (data !== undefined) cpSync(data, join(dir, 'etcd'), { recursive: true });
  if (certified) certify(join(dir, 'pki'), certified);
  writeFileSync(planFile(dir), `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600 });

  const log = openSync(join(dir, 'supervisor.log'), 'a');
  const supervisor = spawn(process.execPath, [...nodeFlags, join(import.meta.dirname, 'supervisor.ts'), dir], {
    stdio: [plan.lives === 'with-parent' ? 'pipe' : 'ignore', log, log],
    env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder(process.env) },
    detached: true,
  });
  supervisor.unref();
  // The pipe must stay open as long as this process runs, without keeping it running.
  if (supervisor.stdin instanceof Socket) supervisor.stdin.unref();
  closeSync(log);
  let ended: string | null = null;
  supervisor.once('error', (error) => (ended = error.message));
  supervisor.once('exit', () => (ended ??= 'the supervisor ended, see supervisor.log'));

  let reported = '';
  for (const deadline = Date.now() + startWithinMs; ; await sleep(50)) {
    // Read before the state: a supervisor writes its last state before it ends.
    const over = ended;
    const state = readState(dir);
    if (state && state.sentence !== reported) {
      reported = state.sentence;
      report?.(reported);
    }
    if (state?.phase === 'ready') return null;
    if (over !== null)
      return { sentence: state?.phase === 'failed' ? state.sentence : over, served: state?.served ?? false };
    if (Date.now() > deadline) {
      supervisor.kill('SIGTERM');
      throw new Error(`The control plane did not start within ${startWithinMs / 1000} s; it was at: ${reported}`);
    }
  }
}

const nodeFlags = ['--disable-warning=ExperimentalWarning'];

/** The plane that runs in a folder. Throws when none runs there. */
async function connectToPlane(dir: string, binaries: Binaries): Promise<Plane> {
  const first = readState(dir);
  if (!first || !(await supervisorRuns(first))) throw new Error(`No control plane runs in ${dir}.`);
  const command = (path: SupervisorCommand) => commandSupervisor(first, path);
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
    async addNodes(added) {
      const { gitVersion } = await api.get<{ gitVersion: string }>('/version');
      await inParallel(added, requestsAtOnce, (node) => createNode(api, aNode(node, gitVersion)));
    },
    async stop() {
      api.close();
      await stopSupervisor(first);
    },
  };
}

/** An administrator's client for the plane in a folder, from its kubeconfig. */
function adminApi(dir: string): Api {
  const config = parse(readFileSync(kubeconfigFile(dir, 'admin'), 'utf8')) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }];
    users: [{ user: { token: string } }];
  };
  const { cluster } = config.clusters[0];
  const ca = Buffer.from(cluster['certificate-authority-data'], 'base64').toString();
  return new Api({ url: cluster.server, ca, token: config.users[0].user.token });
}

/** Clears a folder only if it is empty or a control plane of ours left it behind. */
export async function clearFolder(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  const names = readdirSync(dir);
  if (names.length === 0) return;
  if (!existsSync(planFile(dir)))
    throw new Error(`${dir} holds something that is not a control plane of ours; it is left alone.`);
  const state = readState(dir);
  if (state && (await supervisorRuns(state))) {
    throw new Error(`A control plane runs in ${dir} already (process ${state.pid}).`);
  }
  // The folder of a killed supervisor's sockets.
  if (state && dirname(dirname(state.control)) === tmpdir())
    rmSync(dirname(state.control), { recursive: true, force: true });
  rmSync(dir, { recursive: true, force: true });
}
