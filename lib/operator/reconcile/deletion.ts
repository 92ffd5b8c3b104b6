import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { NextReconcile } from '../process/loop.ts';
import type { Operator } from '../process/operator.ts';
import { reportGeneration } from '../status/monitor.ts';
import { refs } from './refs.ts';

/**
 * Order of deletion. Each object is gone before the next one is deleted, so that pods that need the network go before the network (calico.md §13.30).
 */
const order = [refs.kubeControllers, refs.calicoNode, refs.typha, refs.typhaService, refs.cniConfig];

const againMs = 1_000;

/**
 * Deletes our workloads in order when the Installation is being deleted, and then removes our finalizers; the garbage collector takes the rest.
 * Pools, FelixConfiguration and CRDs stay on purpose (calico.md §13.30).
 */
export async function removeWorkloads(op: Operator, installation: KubeObject): Promise<NextReconcile> {
  reportGeneration(op.monitors.calico, installation.metadata.generation ?? 1);
  // The monitor must not wait for workloads that are being deleted.
  op.monitors.calico.ready = false;
  const finalizers = installation.metadata.finalizers ?? [];

  const others = finalizers.filter(
    (one) => one.startsWith('operator.tigera.io/') && one !== names.installationFinalizer,
  );
  if (others.length > 0) return wait(op, `waiting for ${others.join(', ')} to be removed`);

  if (finalizers.includes(names.installationFinalizer)) {
    for (const ref of order) {
      if (!(await op.write.remove(ref))) return wait(op, `waiting for ${ref.resource.kind} ${ref.name} to be gone`);
    }
  }
  const ours: string[] = [names.installationFinalizer, names.cleanupFinalizer];
  const left = finalizers.filter((one) => !ours.includes(one));
  await op.write.merge(refs.installation, installation, { metadata: { finalizers: left } }, { guarded: true });
  return null;
}

function wait(op: Operator, words: string): NextReconcile {
  Object.assign(op.monitors.calico, { explicit: null, waitingFor: [`The Installation is being deleted: ${words}`] });
  return { inMs: againMs };
}
