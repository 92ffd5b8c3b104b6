import { felixOf, installationOf } from '#lib/kube/index.ts';
import { proveNodes } from '../proof/prove-nodes.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects } from './data-plane-objects.ts';
import { type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/** `bpfEnabled` is off, the rollout is complete, and every node is proven on the standard data plane (operations.md › `bpf.inactive`). */
export async function bpfInactive(_condition: unknown, context: ConditionContext): Promise<Progress> {
  const { installation, daemonSet, felix, also } = await dataPlaneObjects(context);
  if (installationOf(installation).spec.calicoNetwork.linuxDataplane === 'BPF')
    return waiting('Installation/default to leave BPF');
  if (!felix) return waiting('FelixConfiguration/default to exist');
  if (felixOf(felix).spec.bpfEnabled === true)
    return waiting(`the operator to turn bpfEnabled off in FelixConfiguration/default${also}`);
  if (!daemonSet) return waiting('calico-system/DaemonSet/calico-node to exist');
  const proof = await proveNodes('standard', daemonSet, felix, context);
  const rolling = await rollingOut(daemonSet, context);
  if (!rolling) return proof;
  const nodes = proof.nodes ? { nodes: proof.nodes } : {};
  return { ...rolling, awaiting: `${rolling.awaiting}${also}`, ...nodes };
}
