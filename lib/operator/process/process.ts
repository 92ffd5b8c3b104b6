import { same } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names, type Resource, resources } from '#lib/spec/index.ts';
import { memberAt } from '../difference.ts';
import { reconcileApiServer } from '../reconcile/api-server.ts';
import { reconcileFlowLogs } from '../reconcile/flow-logs.ts';
import { type InstallationMemory, reconcileInstallation } from '../reconcile/installation.ts';
import { reconcileIpPools } from '../reconcile/ip-pools.ts';
import { reconcileKubeProxy } from '../reconcile/kube-proxy.ts';
import type { Monitor } from '../status/monitor.ts';
import { publishAll } from '../status/ticker.ts';
import { startCache } from './cache.ts';
import { type Loop, type NextReconcile, startLoop } from './loop.ts';
import { type Operator, pace } from './operator.ts';

const loopNames = ['installation', 'ippools', 'apiserver', 'kube-proxy', 'flow-logs', 'status'] as const;
type LoopName = (typeof loopNames)[number];

type Watched = {
  resource: Resource;
  namespace?: string;
  fieldSelector?: string;
  /** The loops that must run after a change. */
  wakes(before: KubeObject | null, after: KubeObject | null): readonly LoopName[];
};

const everyone = loopNames.filter((name) => name !== 'status');

/** Whether a change can alter what is wanted: spec, finalizers, annotations and deletion count; a status does not. */
function changesWhatIsWanted(before: KubeObject | null, after: KubeObject | null): boolean {
  if (!before || !after) return true;
  return (
    before.metadata.generation !== after.metadata.generation ||
    before.metadata.uid !== after.metadata.uid ||
    before.metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
    !same(before.metadata.finalizers, after.metadata.finalizers) ||
    !same(before.metadata.annotations, after.metadata.annotations)
  );
}

const isLinux = (node: KubeObject) => node.metadata.labels?.['kubernetes.io/os'] !== 'windows';

/**
 * Objects whose changes wake loops. Steps of a rollout are not among them: the switch is tried again when TigeraStatus changes, or after
 * `unavailableMs`.
 */
const watched: readonly Watched[] = [
  {
    resource: resources.installations,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? everyone : []),
  },
  {
    resource: resources.felixConfigurations,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['installation', 'kube-proxy'] : []),
  },
  {
    resource: resources.ipPools,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['installation', 'ippools'] : []),
  },
  {
    resource: resources.apiServers,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['apiserver', 'ippools', 'installation'] : []),
  },
  {
    resource: resources.daemonSets,
    namespace: names.calicoNamespace,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['installation'] : []),
  },
  {
    resource: resources.deployments,
    namespace: names.calicoNamespace,
    wakes: (before, after) =>
      changesWhatIsWanted(before, after) ? ['installation', 'apiserver', 'flow-logs'] : ['apiserver'],
  },
  {
    resource: resources.goldmanes,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['flow-logs', 'installation'] : []),
  },
  { resource: resources.whiskers, wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['flow-logs'] : []) },
  {
    resource: resources.daemonSets,
    namespace: names.systemNamespace,
    fieldSelector: `metadata.name=${names.kubeProxyDaemonSet}`,
    wakes: (before, after) => (changesWhatIsWanted(before, after) ? ['kube-proxy'] : []),
  },
];

/** One process of the operator, until its signal aborts. Rejects when it can no longer see or write. */
export async function runProcess(make: (linuxNodes: () => string[]) => Operator, end: AbortController): Promise<void> {
  let linux: string[] = [];
  const op = make(() => linux);
  const { signal } = op;
  const loops = new Map<LoopName, Loop>();
  let lost: unknown = null;
  const giveUp = (error: unknown) => {
    lost = error;
    end.abort(error);
  };
  const wake = (which: readonly LoopName[]) => {
    for (const name of which) loops.get(name)?.trigger();
  };

  const nodes = startCache({
    ...plain(op, resources.nodes),
    onChange: () => {
      const now =
        nodes
          ?.all()
          .filter(isLinux)
          .map((node) => node.metadata.name ?? '') ?? [];
      if (same(now, linux)) return;
      linux = now;
      wake(['installation', 'apiserver']);
    },
    onLost: giveUp,
  });
  const endpoint = startCache({
    ...plain(op, resources.configMaps),
    namespace: op.namespace,
    fieldSelector: `metadata.name=${names.endpointConfigMap}`,
    onChange: () => wake(['installation', 'apiserver']),
    onLost: giveUp,
  });
  const caches = watched.map((one) =>
    startCache({
      ...plain(op, one.resource),
      ...(one.namespace === undefined ? {} : { namespace: one.namespace }),
      ...(one.fieldSelector === undefined ? {} : { fieldSelector: one.fieldSelector }),
      onChange: (before, after) => wake(one.wakes(before, after)),
      onLost: giveUp,
    }),
  );
  await Promise.all([nodes, endpoint, ...caches].map((cache) => cache.known));
  linux = nodes
    .all()
    .filter(isLinux)
    .map((node) => node.metadata.name ?? '');

  const memory: InstallationMemory = { statusLostUntilMs: null };
  const work: Record<LoopName, () => Promise<NextReconcile>> = {
    installation: () => worked(op.monitors.calico, reconcileInstallation(op, memory)),
    ippools: () => reconcileIpPools(op),
    apiserver: () => reconcileApiServer(op),
    'kube-proxy': () => reconcileKubeProxy(op),
    'flow-logs': () => reconcileFlowLogs(op),
    status: async () => {
      const { calicoChanged } = await publishAll(op);
      if (calicoChanged) wake(['installation']);
      return { inMs: pace.tickMs };
    },
  };
  if (signal.aborted) throw lost ?? signal.reason;
  for (const name of loopNames) {
    loops.set(
      name,
      startLoop({
        name,
        clock: op.clock,
        signal,
        random: op.random,
        reconcile: work[name],
        settleMs: name === 'status' ? 0 : pace.settleMs,
        log: op.log,
      }),
    );
  }
  await Promise.all([...loops.values()].map((loop) => loop.ended));
  if (lost) throw lost;
}

/** Marks the monitor as being worked on until the reconcile has ended, also with an error. */
async function worked(monitor: Monitor, reconcile: Promise<NextReconcile>): Promise<NextReconcile> {
  monitor.working = reconcile.catch(() => {});
  try {
    return await reconcile;
  } finally {
    monitor.working = null;
  }
}

function plain(op: Operator, resource: Resource) {
  return { kube: op.kube, resource, signal: op.signal, log: op.log };
}

/** The image of the operator's own container. Null: the Deployment has none. */
export function operatorImage(deployment: KubeObject | null): string | null {
  const containers = memberAt(deployment, 'spec', 'template', 'spec', 'containers');
  const first: unknown = Array.isArray(containers) ? containers[0] : null;
  return typeof first === 'object' && first !== null && 'image' in first && typeof first.image === 'string'
    ? first.image
    : null;
}
