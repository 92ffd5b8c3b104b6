import { inParallel } from '#lib/base/async/in-parallel.ts';
import {
  type Clock,
  isKubeError,
  type Kube,
  KubeError,
  type KubeObject,
  type ServiceWatch,
  type WatchedServices,
} from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import {
  deleteNamespace,
  filled,
  namespaceRef,
  ownNamespace,
  refuseWithoutRights,
  removeEarlier,
  removeNamespace,
  resourceOf,
} from '../own-namespace.ts';
import { refusedNow } from '../refused-pods.ts';
import { type WatchSettings, watchNames, watchObjects, watchRules } from './watch-objects.ts';
import { faultsOf, watchingPods } from './watch-pods.ts';
import { newReadings, type PodOutput } from './watch-readings.ts';
import { type TestedIn, watchSettings } from './watch-settings.ts';

const earlierMs = 60_000;
const logsAtOnce = 8;

/**
 * Tests the Services of a live cluster from its nodes. The pods use the agent's image, which the nodes have already. `testedIn` returns the image in
 * which nodes were tested, for a cluster without an agent; null: they were not.
 */
export function watchedServices(kube: Kube, clock: Clock, testedIn: TestedIn = async () => null): WatchedServices {
  return {
    watch: async ({ signal }) => {
      await refuseWithoutRights(kube, watchRules, { of: 'asking Services from every node', signal });
      const { settings, of } = await watchSettings(kube, testedIn, signal);
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
  const outputs = new Map<string, PodOutput>();
  const known = new Set(settings.nodes.map(({ name }) => name));
  const refused = refusedNow(kube, clock, watchNames.namespace);
  let faults: ReadonlyMap<string, string> = new Map();
  return {
    intervalMs: settings.intervalMs,
    nodes: settings.nodes.map(({ name }) => name),
    of,
    read: async (options) => {
      const { pods, made } = await watchingPods(kube, { owner, known, signal: options.signal });
      if (pods.length === 0) await refuseIfDeleted(kube, own, options.signal);
      const lacking = pods.length < known.size && owner !== undefined ? [[owner, made] as const] : [];
      const words = await refused(new Map(lacking), options.signal);
      faults = faultsOf(known, pods, words.get(owner ?? '') ?? null);
      const readings = await inParallel(pods, logsAtOnce, (pod) =>
        newReadings(kube, clock, pod, outputs, options.signal),
      );
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
    const complete = await filled(object, { kube, settings, signal });
    return complete && (await kube.create(resourceOf(complete), complete, options));
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return null;
    throw error;
  }
}

async function refuseIfDeleted(kube: Kube, own: string | undefined, signal: AbortSignal): Promise<void> {
  const found = await kube.get(namespaceRef(watchNames.namespace), { signal });
  if (found?.metadata.uid === own && !found?.metadata.deletionTimestamp) return;
  throw new KubeError('not-found', `Namespace ${watchNames.namespace} was deleted while Services were asked.`);
}
