import { valueAt } from '../fields.ts';
import { type Progress, waiting } from '../progress.ts';
import { proveNodes } from '../proof/prove-nodes.ts';
import { heldUp, rolloutAwaited, rolloutOf } from '../rollout.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects, degraded } from './data-plane-objects.ts';

/** operations.md › `bpf.inactive`: the field false, the rollout complete, each node proven on the standard path. */
export async function bpfInactive(_condition: unknown, context: ConditionContext): Promise<Progress> {
  const { installation, daemonSet, felix, status } = await dataPlaneObjects(context);
  const complaint = degraded(status);
  const also = complaint ? ` (the operator is Degraded: ${complaint})` : '';
  if (valueAt(installation, ['spec', 'calicoNetwork', 'linuxDataplane']) === 'BPF')
    return waiting('Installation/default to leave BPF');
  if (!felix) return waiting('FelixConfiguration/default to exist');
  if (valueAt(felix, ['spec', 'bpfEnabled']) === true)
    return waiting(`the operator to take bpfEnabled back in FelixConfiguration/default${also}`);
  if (!daemonSet) return waiting('calico-system/DaemonSet/calico-node to exist');
  const proof = await proveNodes('standard', daemonSet, felix, context);
  const rollout = rolloutOf(daemonSet);
  if (rollout.complete) return proof;
  const held = await heldUp(context.kube, daemonSet, context.signal);
  return {
    kind: 'waiting',
    awaiting: `${rolloutAwaited(daemonSet, rollout)}${also}`,
    ...held,
    done: rollout.updated,
    total: rollout.desired,
    ...(proof.nodes ? { nodes: proof.nodes } : {}),
  };
}
