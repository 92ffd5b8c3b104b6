import { type Clock, type Kube, type KubeObject, keyOf, type PodHandlers } from '#lib/kube/index.ts';
import { isAgent, isProxy } from '../agents/agent-pods.ts';
import { writeCalicoVersion } from '../agents/calico-version.ts';
import { NodeAgents } from '../agents/node-agents.ts';
import { memoryOnly, type NodeMemory } from '../agents/node-memory.ts';
import { normalTimings, type Timings } from '../timings.ts';
import { answersOf } from './answering-endpoints.ts';
import { type CachedKind, cachedResources, emptyClusterCache } from './cluster-cache.ts';
import type { ControllerContext } from './controller-context.ts';
import { DaemonSetController } from './daemon-set-controller.ts';
import { DeploymentController } from './deployment-controller.ts';
import { Kubelets } from './kubelets.ts';
import { agentNode, connectsPods } from './network-agents.ts';
import { NodeNetwork } from './node-network.ts';
import { OpenshiftProxyController } from './openshift-proxy.ts';
import { isReady } from './shapes.ts';
import { WorkQueue } from './work-queue.ts';

export type SimulationOptions = {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  timings?: Timings;
  memory?: NodeMemory;
};

export type Simulation = {
  /** Log and exec of pods as the nodes answer, for the store's option `pods`. */
  pods: PodHandlers;
  /** Fulfilled once every kind was listed. From then on the simulation writes. */
  started: Promise<void>;
  /** Ends when the signal aborts; rejects when the simulation itself failed. */
  ended: Promise<void>;
};

/**
 * Simulates the controllers and nodes of a cluster that has none: DaemonSets and Deployments roll out; pods are bound, start and become ready; Felix
 * and kube-proxy act on each node on what the API says, and answer through logs and exec. Reads and writes through the port alone, one turn at a
 * time, so that the same acts on the same cluster give the same sequence of writes.
 */
export function simulateWorkloads(options: SimulationOptions): Simulation {
  const { kube, clock, signal, timings = normalTimings, memory = memoryOnly() } = options;
  const cache = emptyClusterCache();
  const queue: WorkQueue = new WorkQueue({
    clock,
    signal,
    delayMs: timings.syncMs,
    turn: async (key) => {
      const [kind = '', of = ''] = key.split(/:(.*)/s);
      await handlers[kind]?.(of);
    },
  });
  const ask = (kind: string) => (key: string, delayMs?: number) => queue.ask(`${kind}:${key}`, delayMs);

  const agents = new NodeAgents({
    cache,
    memory,
    clock,
    timings,
    again: ask('agent'),
    servicesChanged: (node) => everyPod('unready', node),
    began: (version) => ask('version')(version),
  });
  const context: ControllerContext = {
    kube,
    clock,
    signal,
    cache,
    timings,
    saw: (object) => saw(object),
    deleted: (object) => {
      const kind = kindOf[object.kind];
      if (kind && cache[kind].forgetOwn(object)) reasons[kind](object);
    },
  };
  const daemonSets = new DaemonSetController(context);
  const deployments = new DeploymentController(context);
  const openshift = new OpenshiftProxyController(context);
  const kubelets = new Kubelets({
    ...context,
    again: ask('pod'),
    answers: () => answersOf(cache),
    hasServices: (node) => agents.hasServices(node),
  });
  const network = new NodeNetwork(context);
  const handlers: Record<string, (key: string) => Promise<void> | void> = {
    daemonSet: (key) => daemonSets.turn(key),
    deployment: (key) => deployments.turn(key),
    replicaSet: (key) => deployments.replicaSetTurn(key),
    pod: (key) => kubelets.turn(key),
    agent: (key) => agents.turn(key),
    openshift: (key) => openshift.turn(key),
    network: (node) => network.turn(node),
    version: (version) => writeCalicoVersion(kube, version, signal),
  };

  /** Puts our own write into the cache at once. The watch brings the same write again, and the cache ignores it. */
  const saw = (object: KubeObject): void => {
    const kind = kindOf[object.kind];
    if (kind && cache[kind].observe(object)) reasons[kind](object);
  };

  const owners = (object: KubeObject) => {
    for (const owner of object.metadata.ownerReferences ?? []) {
      const kind = ownerTurns[owner.kind];
      if (kind) ask(kind)(`${object.metadata.namespace ?? ''}/${owner.name}`);
    }
  };
  const everyPod = (which: 'all' | 'unready', node?: string) => {
    for (const { object, shape } of node === undefined ? cache.pods.all() : cache.pods.inGroup('node', node)) {
      if (which === 'all' || !isReady(shape)) ask('pod')(keyOf(object));
    }
  };

  /** Asks for the turns that the change of an object of each kind makes necessary. */
  const reasons: Record<CachedKind, (object: KubeObject) => void> = {
    nodes: (object) => {
      ask('network')(object.metadata.name ?? '');
      for (const { object } of cache.daemonSets.all()) ask('daemonSet')(keyOf(object));
      everyPod('all');
    },
    pods: (object) => {
      owners(object);
      ask('pod')(keyOf(object));
      const seen = cache.pods.get(keyOf(object));
      if (seen && (isAgent(seen.shape) || isProxy(seen.shape))) ask('agent')(keyOf(object));
      const connected = agentNode(object);
      if (connected !== null) ask('network')(connected);
    },
    daemonSets: (object) => {
      ask('daemonSet')(keyOf(object));
      if (!connectsPods(object) || cache.daemonSets.get(keyOf(object))) return;
      for (const { metadata } of cache.nodes.shapes()) ask('network')(metadata.name);
    },
    deployments: (object) => ask('deployment')(keyOf(object)),
    replicaSets: (object) => {
      ask('replicaSet')(keyOf(object));
      owners(object);
    },
    configMaps: () => everyPod('unready'),
    services: () => everyPod('unready'),
    endpointSlices: () => everyPod('unready'),
    felixConfigurations: () => {
      for (const { object, shape } of cache.pods.all()) if (isAgent(shape)) ask('agent')(keyOf(object));
    },
    openshiftNetworks: (object) => ask('openshift')(keyOf(object)),
  };

  const follow = (kind: CachedKind, listed: () => void): Promise<void> => {
    const changed = (after: KubeObject | null, before: KubeObject | null) => {
      const object = after ?? before;
      if (object) reasons[kind](object);
    };
    return cache[kind].follow(kube, { resource: cachedResources[kind] }, { changed, listed }, signal);
  };

  const kinds = Object.keys(cachedResources) as CachedKind[];
  const started = Promise.withResolvers<void>();
  const waitingFor = new Set(kinds);
  const watching = kinds.map((kind) =>
    follow(kind, () => {
      if (!waitingFor.delete(kind) || waitingFor.size > 0) return;
      // Processes that already run have started with the present configuration, so that later changes of it count as changes.
      for (const { object, shape } of cache.pods.all())
        if (isAgent(shape) || isProxy(shape)) agents.turn(keyOf(object));
      started.resolve();
    }),
  );
  const ended = Promise.all([...watching, started.promise.then(() => queue.run())]).then(() => undefined);
  signal.addEventListener('abort', () => started.resolve(), { once: true });
  ended.catch((error: unknown) => started.reject(error));
  return { pods: agents.handlers(), started: started.promise, ended };
}

const kindOf: Record<string, CachedKind> = Object.fromEntries(
  (Object.keys(cachedResources) as CachedKind[]).map((kind) => [cachedResources[kind].kind, kind]),
);
const ownerTurns: Record<string, string> = {
  DaemonSet: 'daemonSet',
  Deployment: 'deployment',
  ReplicaSet: 'replicaSet',
};
