import { z } from 'zod';
import { type KubeObject, objectTime } from '#lib/kube/index.ts';
import { names, resources } from '#lib/spec/index.ts';
import { condition } from '../installation/installation.ts';
import type { Operator } from '../process/operator.ts';
import { copyConditions } from '../reconcile/installation-status.ts';
import { listAll } from '../reconcile/read.ts';
import { refs, tigeraStatusRef } from '../reconcile/refs.ts';
import {
  type ComponentState,
  conditionsOf,
  mergedConditions,
  quietConditions,
  type WantedCondition,
} from './conditions.ts';
import { type Monitor, monitorNames, reportDeleted } from './monitor.ts';
import { failuresOf, progressOf } from './progress.ts';

const conditions = z.object({ conditions: z.array(condition).default([]) });

/** The workloads that each TigeraStatus watches. Typha counts only through its replicas (calico.md §4). */
const tracked = {
  calico: [refs.calicoNode, refs.kubeControllers],
  apiserver: [refs.apiServerDeployment],
  ippools: [],
  'kubeproxy-monitor': [],
  goldmane: [refs.goldmaneDeployment],
  whisker: [refs.whiskerDeployment],
} as const;

/** Ticks for which a restarted process writes only Degraded, also while nodes roll (upgrade-3.30.7-to-3.31.4.jsonl, t=71.17 to 86.17). */
const quietAfterRestart = 3;
const quietWhenNew = 1;

/** Publishes all TigeraStatus objects once. `calicoChanged`: the availability of `calico` changed. */
export async function publishAll(op: Operator): Promise<{ calicoChanged: boolean }> {
  const before = op.monitors.calico.published;
  for (const name of monitorNames) await publish(op, op.monitors[name]);
  return { calicoChanged: op.monitors.calico.published !== before };
}

/** Publishes one TigeraStatus now. */
export async function publish(op: Operator, monitor: Monitor): Promise<void> {
  if (monitor.presence === 'unknown') return;
  const ref = tigeraStatusRef(monitor.name);
  const live = await op.kube.get(ref, { signal: op.signal });
  if (monitor.presence === 'gone') {
    if (live && !live.metadata.deletionTimestamp) await op.write.remove(ref, 'Background');
    return;
  }
  monitor.quietTicks ??= live ? (monitor.name === 'calico' ? quietAfterRestart : 0) : quietWhenNew;
  monitor.ticks += 1;
  const object =
    live ??
    (await op.write.create(resources.tigeraStatuses, {
      apiVersion: 'operator.tigera.io/v1',
      kind: 'TigeraStatus',
      metadata: { name: monitor.name },
      spec: {},
    }));

  await settledAgain(monitor);
  const state = await componentStateOf(op, monitor);
  const quiet = monitor.ticks <= monitor.quietTicks;
  // Until a reconcile has succeeded, the public operator writes Degraded alone (calico.md §4).
  const early = !monitor.ready && monitor.published === 'nothing' && monitor.presence === 'tracked';
  const wanted = quiet
    ? whenQuiet(op, monitor, live, state)
    : early
      ? quietConditions(state, op.release)
      : conditionsOf(state, op.release);
  await write(op, object, wanted);
  const available = wanted.find((one) => one.type === 'Available');
  if (available) monitor.published = available.status === 'True' ? 'available' : 'unavailable';
  // The next round finds it gone, and deletes the TigeraStatus (automatic-and-stuck-node-3.31.4.jsonl, t=99.31 and 102.14).
  if (monitor.presence === 'leaving') reportDeleted(monitor);
}

/**
 * Waits for the running reconcile of a settled installation, so that its status is judged after the last write of a change. Before that write the new
 * generation is known while the old workloads still stand, and the status would read "all well" before the change is carried out. No recording shows
 * this moment of the public operator.
 */
async function settledAgain({ ready, explicit, working }: Monitor): Promise<void> {
  if (ready && !explicit) await working;
}

/**
 * Conditions in the quiet ticks. A new `calico` gets none. A restarted process reports no fault, with the generation of its own first write if there
 * was one. The other statuses report that they are not degraded.
 */
function whenQuiet(op: Operator, monitor: Monitor, live: KubeObject | null, state: ComponentState): WantedCondition[] {
  if (monitor.name !== 'calico')
    return quietConditions({ ...state, ready: true, progressing: [], failing: [] }, op.release);
  if (!live) return [];
  return quietConditions(
    { ...state, ready: false, progressing: [], failing: [], generation: monitor.firstWritten },
    op.release,
  );
}

async function componentStateOf(op: Operator, monitor: Monitor): Promise<ComponentState> {
  const { explicit, generation, ready } = monitor;
  const progressing: string[] = [];
  const failing: string[] = [];
  if (ready) {
    for (const ref of tracked[monitor.name]) {
      const workload = await op.kube.get(ref, { signal: op.signal });
      const words = workload
        ? progressOf(workload)
        : `${ref.resource.kind} "${ref.namespace}/${ref.name}" does not exist yet`;
      if (words) progressing.push(words);
    }
    // Pods are listed only while a workload is behind, so that the pods of a settled cluster of 5,000 nodes are not read every 5 s.
    if (progressing.length > 0) failing.push(...failuresOf(await podsOf(op, monitor)));
  }
  progressing.push(...monitor.waitingFor);
  return { ready: ready && monitor.presence === 'tracked', explicit, generation, progressing, failing };
}

async function podsOf(op: Operator, monitor: Monitor): Promise<KubeObject[]> {
  const apps = tracked[monitor.name].map((ref) => ref.name);
  return listAll(op, resources.pods, {
    namespace: names.calicoNamespace,
    labelSelector: `k8s-app in (${apps.join(',')})`,
  });
}

async function write(op: Operator, object: KubeObject, wanted: readonly WantedCondition[]): Promise<void> {
  let live = object;
  // Each condition is a separate write: Available is False while Degraded still has an older generation (install-enable-rollback-3.31.4.jsonl,
  // t=58.0).
  for (const one of wanted) {
    const there = conditions.safeParse(live.status ?? {}).data?.conditions ?? [];
    const next = mergedConditions(there, [one], objectTime(op.clock.now()));
    if (next)
      live = await op.write.merge(
        tigeraStatusRef(object.metadata.name ?? ''),
        live,
        { status: { conditions: next } },
        { subresource: 'status' },
      );
  }
  if (object.metadata.name === 'calico')
    await copyConditions(op, conditions.safeParse(live.status ?? {}).data?.conditions ?? []);
}
