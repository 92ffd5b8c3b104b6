import { marksOf, variableOf, versionOfImage } from '#lib/facts/index.ts';
import {
  conditionsOf,
  containerNamed,
  felixOf,
  getHeld,
  installationOf,
  isKubeError,
  isLeftOut,
  type Kube,
  type KubeError,
  type KubeObject,
  rolloutCounts,
  workloadOf,
} from '#lib/kube/index.ts';
import { agentDaemonSets, generationOfStatus, isOnForFelix, names, type Resource, resources } from '#lib/spec/index.ts';
import { isNotInstalled } from './not-installed.ts';

/** The cluster's present state: computed, never stored (product.md › Status). */
export type ClusterStatus = {
  apiVersion: 'signalbox.dev/v1';
  kind: 'Status';
  cluster: string;
  observedAt: string;
  /** `by`: `helm` if Helm's labels are on the Installation; absent otherwise. */
  installation: { dataplane: string | null; generation: number; version: string | null; by?: 'helm' } | null;
  /**
   * An installation by manifest, recognised by agents in kube-system, where an operator never puts them (calico.md §9). `bpf`: whether they are configured for
   * eBPF, by their environment or else by FelixConfiguration; null: neither sets it.
   */
  manifest?: { version: string | null; bpf: boolean | null };
  felix: { bpfEnabled: boolean | null; ownedByOperator: boolean } | null;
  agents: { desired: number; updated: number; available: number } | null;
  proxy: { desired: number; ready: number } | null;
  components: ComponentStatus[];
  /** Kinds that could not be read, each with the reason: unknown is never shown as fine. */
  unknown: { kind: string; because: string }[];
};

/** One TigeraStatus: the worst of Degraded, Progressing and Available. `current`: whether it is about the Installation's present generation; null: unknown. */
export type ComponentStatus = {
  name: string;
  state: 'degraded' | 'progressing' | 'available' | 'unknown';
  message: string | null;
  since: string | null;
  observedGeneration: number | null;
  current: boolean | null;
};

export async function readStatus(kube: Kube, now: string, signal: AbortSignal): Promise<ClusterStatus> {
  const unknown: ClusterStatus['unknown'] = [];
  const isWithheld = (error: unknown): error is KubeError =>
    isKubeError(error, 'forbidden', 'not-served') || isLeftOut(kube, error);
  const guarded = async <T>(resource: Resource, read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      if (!isWithheld(error)) throw error;
      // A kind that a dump lacks is unknown; on a cluster it may just not be installed.
      const isListed = unknown.some(({ kind }) => kind === resource.kind);
      if (!isListed && (kube.source === 'dump' || !isNotInstalled(error)))
        unknown.push({ kind: resource.kind, because: error.message });
      return otherwise;
    }
  };
  const get = (resource: Resource, name: string, namespace?: string) =>
    guarded<KubeObject | null>(
      resource,
      () => getHeld(kube, { resource, name, ...(namespace ? { namespace } : {}) }, { signal }),
      null,
    );
  /** Reads it from the stored kind, or else from Calico's own API; one answer is enough. */
  const felixDefault = async (): Promise<KubeObject | null> => {
    const refusals: ClusterStatus['unknown'] = [];
    let absent = 0;
    const forms = [resources.felixConfigurations, resources.felixConfigurationsV3];
    for (const resource of forms) {
      try {
        const found = await getHeld(kube, { resource, name: names.felixConfiguration }, { signal });
        if (found !== null) return found;
      } catch (error) {
        if (!isWithheld(error)) throw error;
        if (kube.source === 'dump' || !isNotInstalled(error))
          refusals.push({ kind: resource.kind, because: error.message });
        else absent++;
      }
    }
    unknown.push(...(refusals.length + absent === forms.length ? refusals.slice(0, 1) : []));
    return null;
  };
  const [installation, felix, agents, proxy, statuses] = await Promise.all([
    get(resources.installations, names.installation),
    felixDefault(),
    Promise.all(agentDaemonSets.map(({ namespace, name }) => get(resources.daemonSets, name, namespace))),
    get(resources.daemonSets, names.kubeProxyDaemonSet, names.systemNamespace),
    guarded(resources.tigeraStatuses, () => all(kube, resources.tigeraStatuses, signal), []),
  ]);
  return statusOf({
    cluster: kube.name,
    observedAt: now,
    installation,
    felix,
    agents: agents.find((one) => one !== null) ?? null,
    proxy,
    statuses,
    unknown,
  });
}

/** The objects that show a cluster's state, from any source. */
export type StatusObjects = {
  cluster: string;
  observedAt: string;
  installation: KubeObject | null;
  felix: KubeObject | null;
  agents: KubeObject | null;
  proxy: KubeObject | null;
  statuses: readonly KubeObject[];
  unknown: ClusterStatus['unknown'];
};

/** The status from these objects. Pure. */
export function statusOf(read: StatusObjects): ClusterStatus {
  const { cluster, observedAt, installation, felix, agents, proxy, statuses, unknown } = read;
  const generation = installation?.metadata.generation ?? 0;
  const isHelm = installation !== null && marksOf(installation).some(({ by }) => by === 'helm');
  return {
    apiVersion: 'signalbox.dev/v1',
    kind: 'Status',
    cluster,
    observedAt,
    installation: installation && {
      dataplane: installationOf(installation).spec.calicoNetwork.linuxDataplane,
      generation,
      version: installationOf(installation).status.calicoVersion,
      ...(isHelm ? { by: 'helm' as const } : {}),
    },
    ...(installation === null && agents?.metadata.namespace === names.systemNamespace
      ? { manifest: { version: agentVersion(agents), bpf: bpfByManifest(agents, felix) } }
      : {}),
    felix: felix && felixStatus(felix),
    agents: agents && agentsStatus(agents),
    proxy: proxy && proxyStatus(proxy),
    components: statuses.map((status) => componentStatus(status, generation)),
    unknown,
  };
}

function agentVersion(daemonSet: KubeObject): string | null {
  return versionOfImage(containerNamed(workloadOf(daemonSet), names.nodeContainer)?.image ?? '');
}

/** Whether agents of a manifest are configured for eBPF. If Calico keeps its data in etcd, the API has no FelixConfiguration. */
function bpfByManifest(agents: KubeObject, felix: KubeObject | null): boolean | null {
  const container = containerNamed(workloadOf(agents), names.nodeContainer);
  const value = container && variableOf(container, 'FELIX_BPFENABLED', new Map());
  if (value !== null) return value === '' ? null : isOnForFelix(value);
  return felix && felixOf(felix).spec.bpfEnabled === true;
}

function agentsStatus(daemonSet: KubeObject): NonNullable<ClusterStatus['agents']> {
  const { desired, updated, available } = rolloutCounts(daemonSet);
  return { desired, updated, available };
}

function proxyStatus(daemonSet: KubeObject): NonNullable<ClusterStatus['proxy']> {
  const { desiredNumberScheduled, numberReady } = workloadOf(daemonSet).status;
  return { desired: desiredNumberScheduled ?? 0, ready: numberReady ?? 0 };
}

function felixStatus(felix: KubeObject): NonNullable<ClusterStatus['felix']> {
  const enabled = felixOf(felix).spec.bpfEnabled;
  const annotation = felix.metadata.annotations?.[names.bpfEnabledAnnotation];
  return {
    bpfEnabled: enabled,
    ownedByOperator: annotation === (enabled === null ? undefined : String(enabled)),
  };
}

/** A missing condition counts as unknown (calico.md §4). */
function componentStatus(status: KubeObject, installationGeneration: number): ComponentStatus {
  const conditions = conditionsOf(status);
  const is = (type: string) => conditions.find((one) => one.type === type && one.status === 'True');
  const worst = is('Degraded') ?? is('Progressing') ?? is('Available');
  const name = status.metadata.name ?? '';
  const { observed, current } = generationOfStatus({ name, conditions }, installationGeneration);
  return {
    name,
    state: is('Degraded') ? 'degraded' : is('Progressing') ? 'progressing' : is('Available') ? 'available' : 'unknown',
    message: worst?.message ?? null,
    since: worst?.lastTransitionTime ?? null,
    observedGeneration: observed,
    current,
  };
}

async function all(kube: Kube, resource: Resource, signal: AbortSignal): Promise<KubeObject[]> {
  const objects: KubeObject[] = [];
  for await (const page of kube.list(resource, { signal })) objects.push(...page.items);
  return objects;
}
