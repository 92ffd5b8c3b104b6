/**
 * `node supervisor.ts <dir>`: the one process of ours that holds a control plane together. It starts etcd, the API server and the
 * others, is the API server's only way out (egress.ts), plays kubelets, agents and kube-proxies, and runs the operator's stand-in.
 * It listens on a unix socket for commands (supervisor-control.ts).
 * When it ends, however it ends, everything that it started ends too.
 */

import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#lib/base/message-of.ts';
import { kubeProxyHealthPort } from '#lib/spec/index.ts';
import { type PlaneAgents, startAgents } from './agents.ts';
import { Api, type KubeObject } from './api.ts';
import { describeExit, type Running } from './child-process.ts';
import { egressProxy, egressSelectorConfig, servedIn } from './egress.ts';
import { freePorts } from './free-ports.ts';
import { Kubelets } from './kubelet.ts';
import { holdMark, kubeletMark, writeKwokConfig } from './kwok-config.ts';
import { internalAddress, isReady } from './objects/nodes.ts';
import { OpenShift } from './objects/openshift.ts';
import {
  askForCalico,
  calicoDefinitions,
  calicoVersionOf,
  makeCalicoOperator,
  makeKubeadmCluster,
  nameNewAuthority,
  namespacesKnow,
} from './objects/standard-cluster.ts';
import { egressLogFile, kubeconfigFile, type PlaneState, planFile, planSchema, writeState } from './plane-state.ts';
import { ProxyHealth } from './proxy-health.ts';
import {
  apiServerArguments,
  apiServerEnvironment,
  controllerManagerArguments,
  etcdArguments,
  kwokArguments,
  schedulerArguments,
} from './supervised/arguments.ts';
import { pathsOf } from './supervised/paths.ts';
import { Processes } from './supervised/processes.ts';
import type { SupervisorCommand } from './supervisor-control.ts';
import { kubeconfigFor, newTokens, tokenFile, userNames } from './users.ts';

const healthWithinMs = 10_000;
const tickMs = 250;
const restartMs = 1_000;
/** Exit code of `signalbox operator` when the cluster cannot be reached (cli.md › Exit codes). */
const unreachableExit = 5;

const dir = process.argv[2] ?? '';
const plan = planSchema.parse(JSON.parse(readFileSync(planFile(dir), 'utf8')));
/** Unix sockets must have short paths (104 bytes on macOS), which a state folder may not have. */
const sockets = mkdtempSync(join(tmpdir(), 'signalbox-'));
const [etcdPort = 0, etcdPeerPort = 0, apiPort = 0, kwokPort = 0] = await freePorts(4);
const url = `https://127.0.0.1:${apiPort}`;
const path = pathsOf(dir, sockets);

const programs = new Processes(dir, () => say({}));
let state: PlaneState = {
  pid: process.pid,
  phase: 'starting',
  served: false,
  sentence: 'starting',
  url,
  control: path.control,
  kind: plan.kind,
  like: plan.like,
  nodes: plan.nodes.length,
  processes: [],
};

function say(change: Partial<PlaneState>): void {
  const processes = programs.all().map(({ name, pid, exit }) => ({
    name,
    pid,
    ended: exit && describeExit(exit),
  }));
  state = { ...state, ...change, processes };
  writeState(dir, state);
  if (change.sentence) process.stderr.write(`${new Date().toISOString()} ${change.sentence}\n`);
}

const program = (name: string): string => {
  const found = plan.binaries[name];
  if (!found) throw new Error(`plan.json names no ${name}`);
  return found;
};

// ── starting ────────────────────────────────────────────────────────────────────────────────────────────────────────

async function startEtcd(): Promise<void> {
  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${etcdPeerPort}`;
  const etcd = await programs.start('etcd', program('etcd'), etcdArguments({ data: join(dir, 'etcd'), client, peer }));
  // A port that accepts may not serve yet, and an API server that begins then gives up after a time of its own.
  await programs.until('etcd is healthy', etcd, () => isHealthy(client));
}

function writeCredentials(): ReturnType<typeof newTokens> {
  const tokens = newTokens();
  // An RSA key takes a hundred times as long to make.
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(path.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(path.serviceAccountPublic, publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(path.tokens, tokenFile(tokens), { mode: 0o600 });
  writeFileSync(path.egressConfig, egressSelectorConfig(path.egressSocket));
  return tokens;
}

function startApiServer(): Promise<Running> {
  const args = apiServerArguments(path, { etcd: `http://127.0.0.1:${etcdPort}`, port: apiPort });
  return programs.start('kube-apiserver', program('kube-apiserver'), args, { ...process.env, ...apiServerEnvironment });
}

/**
 * With a leader Lease, as real control planes have it, controllers end when the API server was away for 10 s, and start afresh. One that
 * runs on keeps expectations about pods whose events it missed, and leaves a DaemonSet alone for five minutes (seen here).
 */
async function restartControllers(): Promise<void> {
  await Promise.all([programs.stop('kube-controller-manager'), programs.stop('kube-scheduler')]);
  await startControllers();
}

async function startControllers(): Promise<void> {
  await Promise.all([
    programs.start('kube-controller-manager', program('kube-controller-manager'), controllerManagerArguments(path)),
    programs.start('kube-scheduler', program('kube-scheduler'), schedulerArguments(path)),
  ]);
}

// ── pretended nodes ─────────────────────────────────────────────────────────────────────────────────────────────────

let nodes: readonly KubeObject[] = [];
let kwokPlays = '';
let agents: PlaneAgents | null = null;
const proxyHealth = new ProxyHealth(async (node, asked) => agents?.proxyHealth(node, asked) ?? null);

async function look(api: Api): Promise<void> {
  nodes = await api.list('/api/v1/nodes?resourceVersion=0');
}

const isHeld = ({ metadata: { annotations } }: KubeObject) =>
  annotations?.[holdMark] === 'true' || annotations?.[kubeletMark] === 'stopped';

/** KWOK reads its configuration at start only: when the nodes or the held ones change, it starts anew (kwok-config.ts). */
async function letKwokPlay(api: Api): Promise<void> {
  const names = nodes.map(({ metadata }) => metadata.name).sort();
  const heldNodes = nodes
    .filter(isHeld)
    .map(({ metadata }) => metadata.name)
    .sort();
  const wanted = JSON.stringify({ names, heldNodes });
  if (wanted === kwokPlays) return;
  const config = writeKwokConfig({ dir, nodes: names, heldNodes, pace: plan.pace });
  await programs.stop('kwok');
  // Each KWOK process holds its nodes by their leases under a random name, and its successor would wait 40 s until they expire.
  await api.delete('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
  await programs.start('kwok', program('kwok'), kwokArguments(path, { config, port: kwokPort }));
  kwokPlays = wanted;
  const held = heldNodes.length > 0 ? `, pods held on ${heldNodes.join(', ')}` : '';
  say({ sentence: `KWOK plays ${names.length} nodes${held}` });
}

async function nodeAt(api: Api, address: string): Promise<string | null> {
  const find = () => nodes.find((node) => internalAddress(node) === address)?.metadata.name ?? null;
  const known = find();
  if (known !== null) return known;
  await look(api).catch(() => {});
  return find();
}

/** While the API server is away (a test stopped it) nothing can be emulated: every look fails and the next one is tried. */
async function playNodes(api: Api): Promise<never> {
  agents = await startAgents({ kubeconfig: path.admin, dir, pace: plan.pace, signal: ends.signal });
  agents.ended.catch((error: unknown) => end('failed', `playing agents: ${messageOf(error)}`));
  const definitions = () => calicoDefinitions(calicoVersionOf(plan.like));
  const openshift = plan.platform === 'openshift' ? new OpenShift({ api, definitions }) : null;
  for (;;) {
    await sleep(tickMs);
    try {
      if (agents.nodes().length > 0) nodes = agents.nodes();
      await letKwokPlay(api);
      await openshift?.tick();
    } catch (error) {
      if (programs.get('kube-apiserver')?.exit === null && !isConnectionError(error)) {
        process.stderr.write(`${new Date().toISOString()} playing nodes: ${messageOf(error)}\n`);
      }
    }
  }
}

// ── the operator's stand-in ─────────────────────────────────────────────────────────────────────────────────────────

const signalbox = join(import.meta.dirname, '..', '..', 'bin', 'signalbox');

async function startOperator(): Promise<void> {
  // On an empty cluster it waits for its Deployment, and begins when somebody installs it.
  if (plan.like === 'none' || plan.kind === 'bare' || plan.components === 'api-only') return;
  const env = { ...process.env, KUBECONFIG: path.admin };
  const operator = await programs.start(
    'operator',
    signalbox,
    ['operator', '--like', plan.like, '--kubeconfig', path.admin],
    env,
  );
  void operator.exited.then(({ code }) => {
    if (code === unreachableExit && programs.get('operator') === operator) void restartOperator();
  });
}

/** An operator ends when the API server is away for long, like the public one when it loses its lease; then its kubelet starts it again. */
async function restartOperator(): Promise<void> {
  await sleep(restartMs);
  if (!ending) await startOperator();
}

// ── life and death ──────────────────────────────────────────────────────────────────────────────────────────────────

let ending = false;
const ends = new AbortController();

async function end(phase: 'stopped' | 'failed', sentence: string): Promise<void> {
  if (ending) return;
  ending = true;
  ends.abort();
  say({ sentence });
  await programs.stopAll();
  say({ phase, sentence });
  rmSync(sockets, { recursive: true, force: true });
  if (plan.temporary && phase === 'stopped') rmSync(dir, { recursive: true, force: true });
  process.exit(phase === 'failed' ? 1 : 0);
}

process.on('exit', () => programs.killNow());
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => void end('stopped', `stopped by ${signal}`));
}
if (plan.lives === 'with-parent') {
  process.stdin.on('close', () => void end('stopped', 'stopped: whoever started this has ended')).resume();
}

/** https://etcd.io/docs/v3.6/op-guide/monitoring/#health-check: that it has a leader, and reads what was agreed on. */
function isHealthy(etcd: string): Promise<boolean> {
  return fetch(`${etcd}/health`, { signal: AbortSignal.timeout(healthWithinMs) })
    .then(async (answer) => answer.ok && ((await answer.json()) as { health?: string }).health === 'true')
    .catch(() => false);
}

function isConnectionError(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(String(error.code))
  );
}

async function readyApi(token: string, server: Running): Promise<Api> {
  // The file is there a moment before what is in it: an empty one would be trusted for ever.
  await programs.until(
    'its certificate is written',
    server,
    async () => existsSync(path.certificate) && readFileSync(path.certificate, 'utf8').includes('END CERTIFICATE'),
  );
  const api = new Api({ url, ca: readFileSync(path.certificate, 'utf8'), token });
  await programs.until('the API server is ready', server, () => api.isReady());
  return api;
}

async function main(): Promise<void> {
  for (const folder of ['pki', 'log', 'users', 'nodes']) mkdirSync(join(dir, folder), { recursive: true, mode: 0o700 });
  const tokens = writeCredentials();
  await listenForCommands(tokens.admin);
  say({ sentence: 'starting etcd' });
  await startEtcd();

  let api: Api | null = null;
  let kubelets: Kubelets | null = null;
  const egress = egressProxy({
    log: egressLogFile(dir),
    nodeAt: async (address) => (api ? nodeAt(api, address) : null),
    servedAt: (target) => servedIn(dir, target),
    answerAs: (node, port, connection) => {
      if (port === kubeProxyHealthPort) return proxyHealth.answerAs(node, connection);
      return kubelets ? kubelets.answerAs(node, connection) : connection.destroy();
    },
  });
  await new Promise<void>((listening) => egress.listen(path.egressSocket, listening));

  say({ sentence: 'starting the API server' });
  const server = await startApiServer();
  api = await readyApi(tokens.admin, server);
  const ca = readFileSync(path.certificate, 'utf8');
  kubelets = new Kubelets({
    dir,
    kwokPort,
    exec: async (pod, command) => agents?.exec(pod, command) ?? null,
    tls: { cert: ca, key: readFileSync(path.certificateKey, 'utf8') },
  });
  for (const user of userNames) {
    writeFileSync(kubeconfigFile(dir, user), kubeconfigFor({ url, ca }, user, tokens[user]), { mode: 0o600 });
  }

  say({ served: true, sentence: 'the API server is ready; making the cluster' });
  const calicoVersion = calicoVersionOf(plan.like);
  const options = { kind: plan.kind, platform: plan.platform, nodes: plan.nodes, calicoVersion, ca };
  if (plan.components === 'all') await startControllers();
  await (plan.begins === 'with-data' ? nameNewAuthority(api, options) : makeKubeadmCluster(api, options));
  if (plan.components === 'all') {
    await look(api);
    await letKwokPlay(api);
    void playNodes(api);
  }
  const isWithCalico = plan.kind === 'standard' || plan.kind === 'bpf';
  if (isWithCalico && plan.begins === 'empty') {
    await makeCalicoOperator(api, options);
    await startOperator();
    await askForCalico(api, options);
  } else await startOperator();
  if (plan.components === 'all') {
    const [kwok, manager] = [programs.get('kwok'), programs.get('kube-controller-manager')];
    if (kwok) {
      await programs.until('all nodes are ready', kwok, async () => plan.nodes.length <= nodes.filter(isReady).length);
    }
    if (manager && plan.begins === 'with-data') {
      await programs.until('every namespace has the new authority', manager, () => namespacesKnow(api, ca));
    }
  }
  say({ phase: 'ready', sentence: 'ready' });
}

function listenForCommands(token: string): Promise<void> {
  const commands: Readonly<Record<SupervisorCommand, () => Promise<void>>> = {
    '/are-you-there': async () => {},
    '/stop': async () => void setImmediate(() => void end('stopped', 'stopped as asked')),
    '/api-server/stop': () => programs.stop('kube-apiserver'),
    '/api-server/start': async () => {
      if (programs.get('kube-apiserver') !== undefined) return;
      (await readyApi(token, await startApiServer())).close();
      if (plan.components === 'all') await restartControllers();
    },
    '/operator/stop': () => programs.stop('operator'),
    '/operator/start': async () => {
      await programs.stop('operator');
      await startOperator();
    },
  };
  const server = createServer(async (request, response) => {
    const command = Object.entries(commands).find(([path]) => path === request.url)?.[1];
    if (request.method !== 'POST' || !command) return void response.writeHead(404).end('no such command');
    try {
      await command();
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  });
  return new Promise((listening) => server.listen(state.control, listening));
}

main().catch((error: unknown) => end('failed', messageOf(error)));
