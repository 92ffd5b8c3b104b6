import { isIP } from 'node:net';
import { inParallel } from '#lib/base/async/in-parallel.ts';
import {
  type Clock,
  clusterDnsOf,
  containerNamed,
  isKubeError,
  isTrue,
  type Kube,
  KubeError,
  type KubeObject,
  nodeKindOf,
  nodeOf,
  podState,
  type ServiceReading,
  type ServiceWatch,
  serviceOf,
  type WatchedServices,
  workloadOf,
} from '#lib/kube/index.ts';
import {
  agentDaemonSets,
  labelledSystem,
  names,
  pullSecretsOf,
  resources,
  runsAgent,
  servicePace,
} from '#lib/spec/index.ts';
import type { PullSecret } from './objects.ts';
import {
  deleteNamespace,
  filled,
  logOrNull,
  namespaceRef,
  ownNamespace,
  refuseWithoutRights,
  removeEarlier,
  removeNamespace,
  resourceOf,
} from './own-namespace.ts';
import { refusedNow } from './refused-pods.ts';
import { parseWatchLines } from './watch-line.ts';
import { type WatchSettings, watchNames, watchObjects, watchRules } from './watch-objects.ts';

const earlierMs = 60_000;
const logsAtOnce = 8;
/** Some ten minutes of a node's output. */
const logLimitBytes = 256 * 1024;

/**
 * Tests the Services of a live cluster from its nodes. The pods use the agent's image, which the nodes have already. `testedIn` returns the image in
 * which nodes were tested, for a cluster without an agent; null: they were not.
 */
export function watchedServices(kube: Kube, clock: Clock, testedIn: TestedIn = async () => null): WatchedServices {
  return {
    watch: async ({ signal }) => {
      await refuseWithoutRights(kube, watchRules, { of: 'asking Services from every node', signal });
      const { settings, of } = await settingsOf(kube, testedIn, signal);
      await removeEarlier({ kube, clock, signal }, watchNames.namespace, earlierMs);
      return begin(kube, clock, { settings, of, signal });
    },
    sweep: async ({ signal, isLeft }) => {
      const found = await kube.get(namespaceRef(watchNames.namespace), { signal });
      if (found?.metadata.labels?.[names.managedByLabel] === names.fieldManager && (await isLeft?.()) !== false)
        await deleteNamespace(kube, watchNames.namespace, found.metadata.uid, signal);
    },
  };
}

type TestedIn = (signal: AbortSignal) => Promise<string | null>;
type Begun = { readonly settings: WatchSettings; readonly of: number; readonly signal: AbortSignal };

async function begin(kube: Kube, clock: Clock, { settings, of, signal }: Begun): Promise<ServiceWatch> {
  let own: string | undefined;
  const end = async () =>
    own === undefined ? null : removeNamespace({ kube, clock }, { name: watchNames.namespace, uid: own, next: 'run' });
  let owner: string | undefined;
  try {
    for (const object of watchObjects(settings)) {
      const made = await create(kube, object, { settings, signal });
      if (made === null) continue;
      const { kind, metadata } = made;
      if (kind === 'Namespace') own = metadata.uid;
      if (kind === 'DaemonSet') owner = metadata.uid;
    }
  } catch (error) {
    // The server may have created the namespace although its answer did not arrive.
    if (own === undefined && isKubeError(error, 'aborted', 'timeout', 'unreachable'))
      own = await ownNamespace(kube, watchNames.namespace);
    await end();
    throw error;
  }
  const heard = new Map<string, Heard>();
  const known = new Set(settings.nodes.map(({ name }) => name));
  const refused = refusedNow(kube, clock, watchNames.namespace);
  let faults: ReadonlyMap<string, string> = new Map();
  return {
    intervalMs: settings.intervalMs,
    nodes: settings.nodes.map(({ name }) => name),
    of,
    read: async (asked) => {
      const { pods, made } = await podsOf(kube, { owner, known, signal: asked.signal });
      if (pods.length === 0) await refuseWhenGone(kube, own, asked.signal);
      const lacking = pods.length < known.size && owner !== undefined ? [[owner, made] as const] : [];
      const words = await refused(new Map(lacking), asked.signal);
      faults = faultsOf(known, pods, words.get(owner ?? '') ?? null);
      const readings = await inParallel(pods, logsAtOnce, (pod) => newReadings(kube, clock, pod, heard, asked.signal));
      return readings.flat();
    },
    faults: () => faults,
    end,
  };
}

/**
 * The created object; null for a copy of a Secret that does not exist or that this account may not copy: the image may be there without it, and
 * otherwise the pod reports that.
 */
async function create(
  kube: Kube,
  object: KubeObject,
  { settings, signal }: Pick<Begun, 'settings' | 'signal'>,
): Promise<KubeObject | null> {
  const options = { fieldManager: names.fieldManager, signal };
  if (object.kind !== 'Secret') return kube.create(resourceOf(object), object, options);
  try {
    const whole = await filled(object, { kube, settings, signal });
    return whole && (await kube.create(resourceOf(whole), whole, options));
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return null;
    throw error;
  }
}

/**
 * The newest output of a node's pod. `bootedAt`: when its boot clock was 0, by the reader's clock, because the node's wall clock may be wrong or be
 * set.
 */
type Heard = {
  readonly pod: string;
  readonly boot: string;
  readonly bootedAt: number;
  readonly up: number;
  readonly wall: number;
};
/** `fault`: why the pod has no output, as a phrase; null: it has started. */
type OwnPod = { readonly node: string; readonly pod: string; readonly fault: string | null };

/** `refused`: why the DaemonSet cannot make more pods. */
function faultsOf(known: ReadonlySet<string>, pods: readonly OwnPod[], refused: string | null): Map<string, string> {
  const byNode = new Map(pods.map(({ node, fault }) => [node, fault]));
  return new Map(
    [...known].flatMap((node) => {
      const none = refused === null ? 'it has no pod that asks' : `its pod is refused: ${refused}`;
      const fault = byNode.has(node) ? byNode.get(node) : none;
      return fault ? [[node, fault] as const] : [];
    }),
  );
}

/**
 * A pod of this DaemonSet speaks for the node on which the API has it, whatever it prints. If a node has two, neither counts. `made`: all pods of the
 * DaemonSet, also those without a node.
 */
async function podsOf(
  kube: Kube,
  { owner, known, signal }: { owner: string | undefined; known: ReadonlySet<string>; signal: AbortSignal },
): Promise<{ pods: OwnPod[]; made: { readonly madeAt: number }[] }> {
  const found: OwnPod[] = [];
  const made: { readonly madeAt: number }[] = [];
  for await (const { items } of kube.list(resources.pods, { namespace: watchNames.namespace, signal }))
    for (const object of items) {
      const controller = object.metadata.ownerReferences?.find((one) => one.controller === true);
      if (owner === undefined || controller?.uid !== owner || object.metadata.deletionTimestamp) continue;
      made.push({ madeAt: Date.parse(String(object.metadata.creationTimestamp)) });
      const { node, name, startedAt, words } = podState(object, watchNames.container);
      const fault = startedAt === null ? `its pod has not started: ${words}` : null;
      if (node !== null && known.has(node)) found.push({ node, pod: name, fault });
    }
  const pods = [...Map.groupBy(found, ({ node }) => node).values()].flatMap((those) =>
    those.length === 1 ? those : [],
  );
  return { pods, made };
}

async function newReadings(
  kube: Kube,
  clock: Clock,
  { node, pod }: OwnPod,
  heard: Map<string, Heard>,
  signal: AbortSignal,
): Promise<ServiceReading[]> {
  const before = heard.get(node);
  const since = before?.pod === pod ? before : null;
  const log = await logOrNull(
    kube,
    { namespace: watchNames.namespace, name: pod },
    {
      container: watchNames.container,
      limitBytes: logLimitBytes,
      signal,
      // In the node's own clock, which is that of the log.
      ...(since === null ? {} : { sinceTime: new Date(since.wall - 1_000).toISOString() }),
    },
  );
  // The output is read at the next attempt.
  if (log === null) return [];
  const readings: ServiceReading[] = [];
  let so: Heard | null = since;
  const lines = parseWatchLines(log);
  // The pod prints a line each second, so the newest line is of just now.
  const bootedAt = Math.round(clock.now() - (lines.at(-1)?.up ?? 0));
  for (const line of lines) {
    // After a restart of the node the boot clock begins at 0 again.
    if (line.watch === 'begin') {
      const { boot, up, wall } = line;
      if (so === null || boot !== so.boot) so = { pod, boot, bootedAt, up, wall };
      else if (up > so.up) so = { ...so, up };
    }
    if (line.watch !== 'second' || so === null || line.up <= so.up) continue;
    const { bootedAt: zero, up } = so;
    readings.push({
      node,
      at: zero + line.up,
      spanMs: line.up - up > longestSpanMs ? usualSpanMs : line.up - up,
      kinds: Object.fromEntries(
        Object.entries(line.kinds).map(([kind, [tried, answered, late, none, openMs]]) => [
          kind,
          { tried, answered, late, none, openMs },
        ]),
      ),
      gaps: line.gaps.map(({ kind, at, ms }) => ({ kind, at: Math.max(0, zero + at), ms })),
    });
    so = { ...so, up: line.up, wall: line.wall };
    heard.set(node, so);
  }
  return readings;
}

/**
 * The script prints once a second, a bit late on a busy machine. After a longer time a line is missing, and the present one covers only its own
 * second.
 */
const usualSpanMs = 1_000;
const longestSpanMs = 2_500;

async function refuseWhenGone(kube: Kube, own: string | undefined, signal: AbortSignal): Promise<void> {
  const found = await kube.get(namespaceRef(watchNames.namespace), { signal });
  if (found?.metadata.uid === own && !found?.metadata.deletionTimestamp) return;
  throw new KubeError('not-found', `Namespace ${watchNames.namespace} was deleted while Services were asked.`);
}

async function settingsOf(
  kube: Kube,
  testedIn: TestedIn,
  signal: AbortSignal,
): Promise<{ settings: WatchSettings; of: number }> {
  const agent = await agentImage(kube, signal);
  const image = agent.image ?? (await testedIn(signal));
  if (image === null) throw new KubeError('unsupported', "The agent's image is not known.");
  const api = serviceOf(
    (await kube.get({ resource: resources.services, namespace: 'default', name: 'kubernetes' }, { signal })) ?? {},
  );
  const port = api.spec.ports[0]?.port ?? null;
  if (isIP(api.spec.clusterIP) === 0 || port === null)
    throw new KubeError('unsupported', 'Service default/kubernetes has no address.');
  const [all, { dns, nodePort }] = await Promise.all([nodesOf(kube, signal), otherServices(kube, signal)]);
  if (all.ready.length === 0) throw new KubeError('unsupported', 'No node is ready to ask Services.');
  const { intervalMs, asking } = servicePace(all.ready.length);
  return {
    settings: {
      image,
      intervalMs,
      api: { host: api.spec.clusterIP, port },
      dns,
      nodePort,
      nodes: spread(all.ready, asking),
      asking: asking === all.ready.length && all.areThoseOfLabel ? 'all' : 'sample',
      pullSecrets: agent.pullSecrets,
    },
    of: all.of,
  };
}

/** The agent's image, with the Secrets that its DaemonSet names for pulling. */
async function agentImage(
  kube: Kube,
  signal: AbortSignal,
): Promise<{ image: string | null; pullSecrets: PullSecret[] }> {
  for (const { namespace, name } of agentDaemonSets) {
    const agent = await kube.get({ resource: resources.daemonSets, namespace, name }, { signal });
    const image = agent && containerNamed(workloadOf(agent), names.nodeContainer)?.image;
    if (image) return { image, pullSecrets: pullSecretsOf(agent).map((secret) => ({ namespace, name: secret })) };
  }
  return { image: null, pullSecrets: [] };
}

/** `count` elements, evenly spread over the list. */
function spread<T>(all: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

type Nodes = {
  /** The nodes that can be tested now, zone by zone, so that a sample contains each zone. */
  readonly ready: readonly { readonly name: string; readonly address: string | null }[];
  /** The number of nodes that can run an agent. */
  readonly of: number;
  /** Whether the label that a DaemonSet uses selects exactly the ready nodes. */
  readonly areThoseOfLabel: boolean;
};

/** A node that reports itself not ready answers nobody, and a virtual node never runs our pods. */
async function nodesOf(kube: Kube, signal: AbortSignal): Promise<Nodes> {
  let [of, ofLabel] = [0, 0];
  const found: { name: string; zone: string; address: string | null; isOfLabel: boolean }[] = [];
  for await (const { items } of kube.list(resources.nodes, { signal }))
    for (const item of items) {
      const { labels = {}, name = '' } = item.metadata;
      const node = nodeOf(item);
      const isOfLabel = labelledSystem(labels) === 'linux';
      if (isOfLabel) ofLabel += 1;
      if (!runsAgent(nodeKindOf(node))) continue;
      of += 1;
      const { conditions, addresses } = node.status;
      if (conditions.some(({ type }) => type === 'Ready') && !isTrue(conditions, 'Ready')) continue;
      const address = addresses.find((one) => isIP(one.address) === 4)?.address ?? null;
      found.push({ name, zone: labels[names.zoneLabel] ?? '', address, isOfLabel });
    }
  found.sort((one, other) => one.zone.localeCompare(other.zone) || one.name.localeCompare(other.name));
  const areThoseOfLabel = ofLabel === found.length && found.every((one) => one.isOfLabel);
  return { ready: found.map(({ name, address }) => ({ name, address })), of, areThoseOfLabel };
}

/** Cluster DNS, and a node port that every node forwards to any backend. */
async function otherServices(kube: Kube, signal: AbortSignal): Promise<Pick<WatchSettings, 'dns' | 'nodePort'>> {
  let dns: WatchSettings['dns'] = null;
  let nodePort: number | null = null;
  for await (const { items } of kube.list(resources.services, { signal })) {
    for (const item of items) {
      const { ports, externalTrafficPolicy, type } = serviceOf(item).spec;
      dns ??= clusterDnsOf(item);
      if (!['NodePort', 'LoadBalancer'].includes(type) || externalTrafficPolicy === 'Local') continue;
      nodePort ??= ports.find((one) => one.protocol !== 'UDP' && one.nodePort !== null)?.nodePort ?? null;
    }
    if (dns !== null && nodePort !== null) break;
  }
  return { dns, nodePort };
}
