import { inParallel } from '#lib/base/in-parallel.ts';
import {
  type Clock,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type NodeMeasurement,
  podState,
} from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { judge, type NodeReport, type Question } from './judge.ts';
import { type ProbeLine, parseLines } from './line.ts';
import { type ProbeSettings, probeNames, probeObjects, probeRules } from './objects.ts';

export type ProbeOptions = {
  kube: Kube;
  clock: Clock;
  question: Question;
  settings: ProbeSettings;
  /** `kept`: the objects stay, for whoever wants to look. */
  afterwards: 'removed' | 'kept';
  /** How long nodes may take to report. */
  patienceMs: number;
  signal: AbortSignal;
  /** The nodes that have told all that they can, as they come. */
  progress?: (reported: number, of: number) => void;
};

/** What the nodes told. `boots`: boot id by node. `left`: why something of the probe may still be there. */
export type Probed = {
  readonly nodes: readonly NodeMeasurement[];
  readonly boots: Readonly<Record<string, string>>;
  readonly left: string | null;
};

const everyMs = 1_000;
/** Pods have 5 seconds to end. */
const removalMs = 15_000;
/** A packet that is not there after so many tries of 300 ms, with both ends sending, does not come. */
const settledMs = 10_000;
const logsAtOnce = 16;
/** Far more than the script writes. */
const logLimitBytes = 1024 * 1024;

/**
 * Makes the probe's objects, reads what their pods print until every node has told all or `patienceMs` is over, and takes them away again, whatever
 * happens in between. What an earlier probe left is removed first. Rejects with KubeError: `forbidden` with the rule that is missing, before anything
 * is made; `conflict` where the namespace is somebody else's, or another preflight has taken this one's place.
 */
export async function runProbe(options: ProbeOptions): Promise<Probed> {
  const { kube, settings, signal } = options;
  await refuseWithoutRights(kube, signal);
  await removeEarlier(options);
  const [namespace, ...others] = probeObjects(settings).map(
    (object) => () => kube.create(resourceOf(object), object, { fieldManager: names.fieldManager, signal }),
  );
  let own: string | undefined;
  let left: string | null = null;
  let reports: NodeReport[];
  try {
    own = (await namespace?.())?.metadata.uid;
    const owners = new Map<string, Way>();
    for (const create of others) {
      const { kind, metadata } = await create();
      if (kind === 'DaemonSet') owners.set(metadata.uid ?? '', metadata.name === probeNames.pod ? 'pod' : 'host');
    }
    reports = await reportsOf(options, own, owners);
  } catch (error) {
    // The server may have taken what it was too late to hear of.
    if (own === undefined && isKubeError(error, 'aborted', 'timeout', 'unreachable')) own = await ownNamespace(kube);
    throw error;
  } finally {
    if (options.afterwards === 'removed' && own !== undefined) left = await removeProbe(options, own);
  }
  const nodes = judge(options.question, reports);
  return { nodes, boots: bootsOf(reports), left };
}

async function refuseWithoutRights(kube: Kube, signal: AbortSignal): Promise<void> {
  const missing = (await kube.allowed(probeRules, { signal })).find(({ allowed }) => !allowed);
  if (missing === undefined) return;
  const { verb, group, resource, subresource, namespace, name } = missing;
  const what = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  throw new KubeError(
    'forbidden',
    `You may not ${what}${namespace === undefined ? '' : ` in ${namespace}`}, which testing on nodes needs: nothing was made.`,
    { rule: { verb, group, resource, subresource, namespace, name } },
  );
}

const namespaceRef = { resource: resources.namespaces, name: probeNames.namespace };

/** Of a probe that was killed, or of one that still runs and ends when it sees this. */
async function removeEarlier({ kube, clock, signal, patienceMs }: ProbeOptions): Promise<void> {
  const found = await kube.get(namespaceRef, { signal });
  if (found === null) return;
  if (found.metadata.labels?.[names.managedByLabel] !== names.fieldManager)
    throw new KubeError(
      'conflict',
      `There is a namespace ${probeNames.namespace} that Signalbox did not make. Remove it, or keep what is in it elsewhere.`,
    );
  await deleteNamespace(kube, found.metadata.uid, signal);
  const deadline = clock.monotonic() + patienceMs;
  while ((await kube.get(namespaceRef, { signal })) !== null) {
    if (clock.monotonic() > deadline)
      throw new KubeError('timeout', `Namespace ${probeNames.namespace} of an earlier test is still being deleted.`);
    await clock.sleep(everyMs, signal);
  }
}

/** Of this one alone: another preflight may have made its own meanwhile. */
async function deleteNamespace(kube: Kube, uid: string | undefined, signal: AbortSignal): Promise<void> {
  try {
    await kube.delete(namespaceRef, { signal, ...(uid === undefined ? {} : { uid }) });
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict')) throw error;
  }
}

/** Of a namespace that was asked for when there was none. */
async function ownNamespace(kube: Kube): Promise<string | undefined> {
  const found = await kube.get(namespaceRef, { signal: AbortSignal.timeout(removalMs) }).catch(() => null);
  return found?.metadata.labels?.[names.managedByLabel] === names.fieldManager ? found.metadata.uid : undefined;
}

/** Everything is in the namespace. The caller may have been interrupted, which is no reason to leave privileged pods behind. */
async function removeProbe({ kube, clock }: ProbeOptions, uid: string): Promise<string | null> {
  const signal = AbortSignal.timeout(2 * removalMs);
  try {
    await deleteNamespace(kube, uid, signal);
    const deadline = clock.monotonic() + removalMs;
    while ((await kube.get(namespaceRef, { signal }))?.metadata.uid === uid) {
      if (clock.monotonic() > deadline)
        return `Namespace ${probeNames.namespace} is still being deleted, with what is in it. The next preflight removes what is left.`;
      await clock.sleep(everyMs, signal);
    }
    return null;
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return `Namespace ${probeNames.namespace} could not be deleted: ${error.message} The next preflight removes it.`;
  }
}

type Way = 'host' | 'pod';
type Said = NodeReport['host'];

async function reportsOf(
  options: ProbeOptions,
  own: string | undefined,
  owners: ReadonlyMap<string, Way>,
): Promise<NodeReport[]> {
  const { kube, clock, question, settings, signal, progress } = options;
  const nodes = question.nodes.map(({ name }) => name);
  const deadline = clock.monotonic() + options.patienceMs;
  const host = new Map<string, Said>();
  const pod = new Map<string, Said>();
  const sendingSince = new Map<string, number>();
  while (true) {
    await readPods(options, owners, { host, pod });
    const namespace = await kube.get(namespaceRef, { signal });
    if (namespace === null || namespace.metadata.deletionTimestamp || namespace.metadata.uid !== own)
      throw new KubeError(
        'conflict',
        `Namespace ${probeNames.namespace} was deleted while the nodes were tested, by hand or by another preflight.`,
      );
    const now = clock.monotonic();
    for (const node of nodes) if (isSending(host.get(node)) && !sendingSince.has(node)) sendingSince.set(node, now);
    // A node can be judged once each of those that it tests with has sent for so long.
    const latest = Math.max(...sendingSince.values());
    const haveTold = nodes.filter(
      (node) => hasTold(host.get(node)) && (settings.podNetwork === 'not-yet' || hasTold(pod.get(node))),
    );
    progress?.(haveTold.length, nodes.length);
    const all = haveTold.length === nodes.length;
    if (all && (allArrived(question, host) || now - latest >= settledMs || sendingSince.size === 0)) break;
    if (now > deadline) break;
    await clock.sleep(everyMs, signal);
  }
  const nothing = { because: 'no pod reported from there in time' };
  const noPods = { because: 'there is no pod network yet' };
  return nodes.map((node) => ({
    node,
    host: finished(host.get(node)) ?? nothing,
    pod: settings.podNetwork === 'not-yet' ? noPods : (finished(pod.get(node)) ?? nothing),
  }));
}

const isLines = (said: Said | undefined): said is readonly ProbeLine[] => said !== undefined && !('because' in said);
const isSending = (said: Said | undefined) => isLines(said) && said.some(({ probe }) => probe === 'vxlan-sending');
const wasMeasured = (said: Said | undefined) => isLines(said) && said.some(({ probe }) => probe === 'measured');

/** Told all, or will never tell anything. */
function hasTold(said: Said | undefined): boolean {
  if (said === undefined) return false;
  if (!isLines(said)) return true;
  const last = said.some(({ probe }) => probe === 'vxlan-sending' || probe === 'vxlan-not');
  return wasMeasured(said) && (last || !said.some(({ probe }) => probe === 'mounts'));
}

/** What a pod said before it fell silent is not half of an answer. */
function finished(said: Said | undefined): Said | undefined {
  return isLines(said) && !wasMeasured(said) ? undefined : said;
}

function allArrived({ nodes }: Question, host: ReadonlyMap<string, Said>): boolean {
  const seen = (said: Said | undefined) =>
    isLines(said) ? said.filter((line) => line.probe === 'vxlan' && line.arrives === 'full').length : 0;
  const tunnels = (said: Said | undefined) =>
    isLines(said) ? said.reduce((sum, line) => (line.probe === 'vxlan-sending' ? line.tunnels : sum), 0) : 0;
  return nodes.every(({ name }) => seen(host.get(name)) >= tunnels(host.get(name)));
}

/** A pod of this probe's own DaemonSets speaks for the node that the API says it is on, whatever it prints. */
async function readPods(
  { kube, signal, question }: ProbeOptions,
  owners: ReadonlyMap<string, Way>,
  into: Record<Way, Map<string, Said>>,
): Promise<void> {
  const known = new Set(question.nodes.map(({ name }) => name));
  const pods: { way: Way; node: string; object: KubeObject }[] = [];
  for await (const { items } of kube.list(resources.pods, { namespace: probeNames.namespace, signal }))
    for (const object of items) {
      const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
      const way = owners.get(owner?.uid ?? '');
      if (way === undefined || object.metadata.deletionTimestamp) continue;
      const { node } = podState(object, probeNames.containers[way]);
      if (node !== null && known.has(node)) pods.push({ way, node, object });
    }
  const places = [...Map.groupBy(pods, ({ way, node }) => `${way} ${node}`).values()];
  await inParallel(places, logsAtOnce, async ([one, another]) => {
    if (one === undefined) return;
    const { way, node, object } = one;
    const container = probeNames.containers[way];
    const { name, fault, words } = podState(object, container);
    if (another !== undefined) {
      into[way].set(node, { because: 'it has two test pods, of which one is no test' });
      return;
    }
    if (fault !== null) {
      into[way].set(node, { because: `its test pod does not start: ${words}` });
      return;
    }
    const log = await logOf(kube, { name, container }, signal);
    if (log !== null) into[way].set(node, parseLines(log));
  });
}

/** Null: not started yet, or gone again. */
async function logOf(
  kube: Kube,
  { name, container }: { name: string; container: string },
  signal: AbortSignal,
): Promise<string | null> {
  try {
    return await kube.logs({ namespace: probeNames.namespace, name }, { container, limitBytes: logLimitBytes, signal });
  } catch (error) {
    if (isKubeError(error, 'aborted', 'forbidden', 'unauthorized') || !isKubeError(error)) throw error;
    return null;
  }
}

function bootsOf(reports: readonly NodeReport[]): Record<string, string> {
  return Object.fromEntries(
    reports.flatMap(({ node, host }) =>
      isLines(host) ? host.flatMap((line) => (line.probe === 'node' ? [[node, line.boot] as const] : [])) : [],
    ),
  );
}

function resourceOf({ kind }: KubeObject): Resource {
  const found = [resources.namespaces, resources.serviceAccounts, resources.daemonSets].find(
    (resource) => resource.kind === kind,
  );
  if (!found) throw new Error(`A probe has no ${kind}.`);
  return found;
}
