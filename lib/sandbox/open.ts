import { messageOf } from '#lib/base/message-of.ts';
import {
  type Clock,
  createStore,
  instantClock,
  type Kube,
  KubeError,
  type KubeObject,
  type PodHandlers,
  type Store,
  systemClock,
} from '#lib/kube/index.ts';
import type { EmulatedOperator } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import { contextOfSandbox } from '#lib/text/index.ts';
import { memoryOnly } from './agents/node-memory.ts';
import { sandboxUid } from './builders.ts';
import { sandboxAggregator } from './flow-logs.ts';
import { sandboxHelm } from './helm.ts';
import { measureSandboxNodes } from './measured-nodes.ts';
import type { SandboxFile } from './persistence/sandbox-file.ts';
import type { Served } from './serve/serve.ts';
import { injectedEndpoint } from './templates/cluster-shape.ts';
import { type Template, templateOf } from './templates/index.ts';
import { installed } from './templates/release.ts';
import { normalTimings, type Timings } from './timings.ts';
import { sandboxServices } from './watched-services.ts';
import { simulateWorkloads } from './workloads/simulate.ts';

export type OpenSandboxOptions = {
  /** `instant`: virtual time that jumps; the same actions give the same sequence. */
  speed: 'normal' | 'instant';
  /** The state folder: opens the sandbox that is stored there, or creates it from its template. Without it: a fresh copy in memory. */
  state?: string;
  /**
   * The operator inside; `none`: nothing reacts to the Installation. Default: for stored sandboxes that of the samples' release, otherwise `none`.
   */
  operator?: EmulatedOperator | 'none';
  timings?: Timings;
  /** Replaces the template's objects: a variation made with `aCluster`. */
  objects?: readonly KubeObject[];
  log?: Log;
};

type Log = (line: string, cause?: unknown) => void;

export type OpenSandbox = {
  kube: Kube;
  /** The same, with what tests do to a cluster from outside its API. */
  store: Store;
  clock: Clock;
  /** All present objects. */
  objects(): KubeObject[];
  /**
   * Serves it as a Kubernetes API on the loopback addresses until it is closed. Later calls get the same server. Its kubeconfig is beside its file in
   * the state folder, so it rejects for a sandbox without one. `port` 0: any. `log`: receives the server's own errors.
   */
  serve(port?: number, log?: Log): Promise<Served>;
  /** Stops all activity and releases the sandbox. Rejects if something inside had failed. */
  close(): Promise<void>;
};

/** Opens a sample cluster. Its nodes and its operator work only while it is open (cli.md › Sandboxes). */
export async function openSandbox(name: string, options: OpenSandboxOptions): Promise<OpenSandbox> {
  const template = templateOf(name);
  const { speed, state, timings = normalTimings, log = () => undefined } = options;
  const operator = options.operator ?? (state === undefined ? 'none' : installed);
  const file = state === undefined ? null : await keptIn(state, name);
  try {
    const clock = speed === 'instant' ? instantClock(startOf(file)) : systemClock;
    const memory = file?.memory ?? memoryOnly();
    let nodes: PodHandlers = {};
    const { objects } = options;
    const made = {
      ...template,
      objects: (now: number) =>
        objects ? [...objects] : template.objects(now).map((object) => ofSandbox(name, object)),
    };
    const stop = new AbortController();
    const { signal } = stop;
    const portForward = sandboxAggregator(() => store, clock, signal);
    const store: Store = storeFor(name, made, clock, file, () => ({ ...nodes, portForward }));
    const simulation = simulateWorkloads({ kube: store, clock, signal, timings, memory });
    nodes = simulation.pods;
    await simulation.started;
    const running: Promise<unknown>[] = [simulation.ended];
    if (operator !== 'none') {
      const { releaseDefinitions, runOperator } = await import('#lib/operator/index.ts');
      const definitions = releaseDefinitions();
      running.push(
        runOperator({ kube: store, like: operator, clock, signal, log, env: injected, random: () => 0.5, definitions }),
      );
    }
    const ended = Promise.allSettled(running);
    let failure: unknown;
    Promise.all(running).catch((error: unknown) => {
      if (signal.aborted) return;
      failure = error;
      log(`sandbox ${name} stopped moving: ${messageOf(error)}`, error);
      stop.abort(error);
    });

    let served: Promise<Served> | null = null;
    return {
      kube: {
        ...store,
        measureNodes: (endpoint, options) => measureSandboxNodes(store, endpoint, options),
        services: sandboxServices(store, clock),
        helm: (words) => sandboxHelm(store, words),
      },
      store,
      clock,
      objects: () => store.snapshot().objects,
      serve: (port = 0, serverLog = log) => {
        served ??= serveKept(store, { name, state, port, log: serverLog }).catch((error: unknown) => {
          // The next call may name another port.
          served = null;
          throw error;
        });
        return served;
      },
      close: async () => {
        stop.abort(new KubeError('aborted', 'The sandbox was closed.'));
        await served?.then((one) => one.close()).catch(() => undefined);
        await ended;
        // The last deletions still cascade to dependent objects; the file must hold these too.
        await store.settled().finally(() => file?.close());
        if (failure !== undefined) throw failure;
      },
    };
  } catch (error) {
    file?.close();
    throw error;
  }
}

function storeFor(
  name: string,
  template: Template,
  clock: Clock,
  file: SandboxFile | null,
  nodes: () => PodHandlers,
): Store {
  const saved = file?.snapshot() ?? null;
  const store = createStore({
    name,
    source: 'sandbox',
    clock,
    version: template.kubernetesVersion,
    objects: saved ? [] : template.objects(clock.now()),
    pods: {
      logs: (pod, options) => (nodes().logs ?? notYet)(pod, options),
      get: (pod) => (nodes().get ?? notYet)(pod),
      exec: (pod, command) => (nodes().exec ?? notYet)(pod, command),
      portForward: (pod) => (nodes().portForward ?? notYet)(pod),
    },
  });
  if (!file) return store;
  if (saved) store.restore(saved);
  else file.fill(store.snapshot());
  keepSaved(store, file, clock);
  return store;
}

/** Clusters are identified by the UID of kube-system, so samples from the same template need different ones. */
function ofSandbox(name: string, object: KubeObject): KubeObject {
  if (object.kind !== 'Namespace' || object.metadata.name !== names.systemNamespace) return object;
  return { ...object, metadata: { ...object.metadata, uid: sandboxUid(name) } };
}

/**
 * Saves each change synchronously, before its write is answered, so that every acknowledged write is saved. After a failure (a full disk) the memory
 * is ahead of the file, so no call is answered any more.
 */
function keepSaved(store: Store, file: SandboxFile, clock: Clock): void {
  let broken: KubeError | null = null;
  store.intercept(async (_call, proceed) => {
    if (broken) throw broken;
    await proceed();
  });
  store.onChange((change) => {
    try {
      file.record(change, clock.now());
    } catch (error) {
      const why = messageOf(error);
      broken = new KubeError('server', `The sandbox could not be saved: ${why}`, {}, error);
      throw broken;
    }
  });
}

const injected = {
  [names.endpointHostKey]: injectedEndpoint.host,
  [names.endpointPortKey]: injectedEndpoint.port,
};

async function serveKept(
  store: Store,
  { name, state, port, log }: { name: string; state: string | undefined; port: number; log: Log },
): Promise<Served> {
  if (state === undefined)
    throw new KubeError('unsupported', 'Only a sandbox that is kept in the state folder is served.');
  const [{ serveStore }, { kubeconfigOf }] = await Promise.all([
    import('./serve/serve.ts'),
    import('./persistence/sandbox-folder.ts'),
  ]);
  return serveStore(store, { name: contextOfSandbox(name), kubeconfig: kubeconfigOf(state, name), port, log });
}

/** SQLite is loaded only for stored sandboxes. */
async function keptIn(state: string, name: string): Promise<SandboxFile> {
  const { openStoredSandbox } = await import('./persistence/sandbox-folder.ts');
  return openStoredSandbox(state, name);
}

/** Virtual time continues after the last write. */
function startOf(file: SandboxFile | null): number | undefined {
  const last = file?.lastWriteMs() ?? null;
  return last === null ? undefined : last + 1;
}

function notYet(): never {
  throw new KubeError('unreachable', 'The nodes of this sandbox have not started yet.');
}
