import {
  type Clock,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type NodeMeasurement,
  type TestOutcome,
} from '#lib/kube/index.ts';
import { type MissingRule, names } from '#lib/spec/index.ts';
import { endHold, type Holder, heldBy, renewHold } from './holder.ts';
import { measurementsOf } from './measurements.ts';
import { nodeIndexesOf, podKindOf } from './objects/pod-kinds.ts';
import { probeNames } from './objects/probe-names.ts';
import { probeObjects } from './objects/probe-objects.ts';
import { probeRules } from './objects/rights.ts';
import type { ProbeSettings } from './objects/settings.ts';
import { allArrived, bootsOf, completeOutput, hasReported, type PodOutput } from './outcomes/pod-output.ts';
import type { NodeReport, Question } from './outcomes/report.ts';
import { SendingNodes } from './outcomes/sending-nodes.ts';
import {
  filled,
  missingRule,
  namespaceRef,
  ownNamespace,
  refuseWithoutRights,
  removeEarlier,
  removeNamespace,
  resourceOf,
  ruleInWords,
} from './own-namespace.ts';
import { type Owner, type OwnPod, readPods } from './read-pods.ts';
import { refusedNow } from './refused-pods.ts';

export type ProbeOptions = {
  kube: Kube;
  clock: Clock;
  question: Question;
  settings: ProbeSettings;
  holder: Holder;
  /** `kept`: the objects stay for inspection. */
  afterwards: 'removed' | 'kept';
  /** How long nodes may take to report, in ms. */
  patienceMs: number;
  signal: AbortSignal;
  /** Called with the names of the nodes that have reported completely, and the number of all nodes. */
  progress?: (reported: readonly string[], of: number) => void;
};

/** The results. `boots`: boot id by node. `left`: why something of the probe may still be there; null if nothing is. */
export type Probed = {
  readonly nodes: readonly NodeMeasurement[];
  readonly boots: Readonly<Record<string, string>>;
  readonly left: string | null;
};

/** The interval between looks, longer for many nodes, because each look lists all pods completely. */
const everyMs = (nodes: number) => Math.max(500, 10 * nodes);

/**
 * Creates the probe's objects, reads their pods' output until every node has reported completely or `patienceMs` is over, and removes them again in
 * any case. First removes what an earlier probe has left, unless it is still at work. Rejects with KubeError: `forbidden` with the missing rule,
 * before anything is created; `conflict` if the namespace is not Signalbox's, or another preflight is running or has replaced this one. `leftBy`
 * then has the objects that are left.
 */
export async function runProbe(options: ProbeOptions): Promise<Probed> {
  const { kube, settings, holder, signal } = options;
  await refuseWithoutRights(kube, probeRules(settings), { of: 'testing on nodes', signal });
  await removeEarlier(options, probeNames.namespace, options.patienceMs);
  const [namespace, ...others] = probeObjects(settings).map((object) => async () => {
    const complete = object.kind === 'Secret' ? await filled(object, options) : marked(object, options);
    return complete && kube.create(resourceOf(object), complete, { fieldManager: names.fieldManager, signal });
  });
  let own: string | undefined;
  let left: string | null;
  let endHolding = async (): Promise<void> => {};
  const removed = async () => {
    await endHolding();
    if (own === undefined) return null;
    if (options.afterwards === 'removed')
      return removeNamespace(options, { name: probeNames.namespace, uid: own, next: 'preflight' });
    await endHold(kube, probeNames.namespace);
    return null;
  };
  let reports: NodeReport[];
  try {
    own = (await oneAtATime(options, async () => namespace?.()))?.metadata.uid;
    endHolding = renewHold(options, probeNames.namespace);
    const owners = new Map<string, Owner>();
    for (const create of others) {
      const made = await create();
      const owner = made?.kind === 'DaemonSet' ? ownerOf(made.metadata.name ?? '', options) : null;
      if (owner !== null) owners.set(made?.metadata.uid ?? '', owner);
    }
    reports = await reportsOf(options, own, owners);
  } catch (error) {
    // The server may have created the namespace although its answer did not arrive.
    if (own === undefined && isKubeError(error, 'aborted', 'timeout', 'unreachable'))
      own = await ownNamespace(kube, probeNames.namespace, holder);
    left = await removed();
    throw error instanceof Error && left !== null ? Object.assign(error, { left }) : error;
  }
  left = await removed();
  const nodes = measurementsOf(options.question, reports);
  return { nodes, boots: bootsOf(reports), left };
}

/** If another preflight was faster, looks again once: it may have ended meanwhile. */
async function oneAtATime<T>(options: ProbeOptions, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!isKubeError(error, 'already-exists')) throw error;
    await removeEarlier(options, probeNames.namespace, options.patienceMs);
    return make();
  }
}

function marked(
  object: KubeObject,
  { afterwards, holder, clock }: Pick<ProbeOptions, 'afterwards' | 'holder' | 'clock'>,
): KubeObject {
  if (object.kind !== 'Namespace') return object;
  const forInspection = afterwards === 'kept' ? { [names.keptAnnotation]: 'true' } : {};
  return { ...object, metadata: { ...object.metadata, annotations: { ...forInspection, ...heldBy(holder, clock) } } };
}

/** Why something of the probe may still be there, from the error of `runProbe`; null if it is gone or was never created. */
export function leftBy(error: unknown): string | null {
  return error instanceof Error && 'left' in error && typeof error.left === 'string' ? error.left : null;
}

/** The first rule that a preflight needs and this account does not have; null if it has all. */
export function missingRight(
  kube: Kube,
  settings: Pick<ProbeSettings, 'pullSecrets'>,
  signal: AbortSignal,
): Promise<MissingRule | null> {
  return missingRule(kube, probeRules(settings), signal);
}

/** A sentence for the user without the right. */
export function rightInWords(rule: MissingRule): string {
  return ruleInWords(rule, 'testing on nodes');
}

function ownerOf(daemonSet: string, { question, settings }: Pick<ProbeOptions, 'question' | 'settings'>) {
  const podKind = podKindOf(daemonSet);
  const nodes = nodeIndexesOf(daemonSet, settings).flatMap((index) => question.nodes[index]?.name ?? []);
  return podKind === undefined ? null : { podKind, nodes };
}

/** DaemonSets that lack pods, by UID: the nodes without one, and the pods that exist. */
function lackingOf(owners: ReadonlyMap<string, Owner>, pods: readonly OwnPod[]) {
  const byOwner = Map.groupBy(pods, ({ owner }) => owner);
  return new Map(
    [...owners].flatMap(([uid, { nodes }]) => {
      const there = byOwner.get(uid) ?? [];
      const having = new Set(there.map(({ node }) => node));
      const without = nodes.filter((node) => !having.has(node));
      return without.length === 0 ? [] : [[uid, { nodes: without, pods: there }] as const];
    }),
  );
}

async function reportsOf(
  options: ProbeOptions,
  own: string | undefined,
  owners: ReadonlyMap<string, Owner>,
): Promise<NodeReport[]> {
  const { kube, clock, question, settings, signal, progress } = options;
  const nodes = question.nodes.map(({ name }) => name);
  const deadline = clock.monotonic() + options.patienceMs;
  const host = new Map<string, PodOutput>();
  const pod = new Map<string, PodOutput>();
  const images = new Map<string, TestOutcome>();
  const wantsImages = (settings.images ?? []).length > 0;
  const sending = new SendingNodes();
  const refused = refusedNow(kube, clock, probeNames.namespace);
  while (true) {
    const there = await readPods(options, owners, { host, pod }, images);
    const lacking = lackingOf(owners, there);
    const made = new Map([...lacking].map(([uid, { pods }]) => [uid, pods]));
    for (const [uid, words] of await refused(made, signal)) {
      const podKind = owners.get(uid)?.podKind;
      if (podKind === undefined) continue;
      const because = `its test pod is refused: ${words}`;
      for (const node of lacking.get(uid)?.nodes ?? [])
        if (podKind === 'images') images.set(node, { kind: 'not-run', because });
        else ({ host, pod })[podKind].set(node, { because });
    }
    const namespace = await kube.get(namespaceRef(probeNames.namespace), { signal });
    if (namespace === null || namespace.metadata.deletionTimestamp || namespace.metadata.uid !== own)
      throw new KubeError(
        'conflict',
        `Namespace ${probeNames.namespace} was deleted while the nodes were tested, by hand or by another preflight.`,
      );
    const now = clock.monotonic();
    sending.see(host, now);
    const reported = nodes.filter(
      (node) =>
        hasReported(host.get(node)) &&
        (settings.podNetwork === 'not-yet' || hasReported(pod.get(node))) &&
        (!wantsImages || images.has(node)),
    );
    progress?.(reported, nodes.length);
    const all = reported.length === nodes.length;
    if (all && (allArrived(question, host, settings.dsr === true) || sending.isSettled(now))) break;
    if (now > deadline) break;
    await clock.sleep(everyMs(nodes.length), signal);
  }
  const nothing = { because: 'no pod reported from there in time' };
  const noPods = { because: 'there is no pod network yet' };
  const imagesOf = (node: string) => {
    const result = images.get(node);
    if (result?.kind === 'failed') return { images: result };
    return wantsImages ? { images: result ?? ({ kind: 'not-run', because: nothing.because } as const) } : {};
  };
  return nodes.map((node) => ({
    node,
    host: completeOutput(host.get(node)) ?? nothing,
    pod: settings.podNetwork === 'not-yet' ? noPods : (completeOutput(pod.get(node)) ?? nothing),
    ...imagesOf(node),
  }));
}
