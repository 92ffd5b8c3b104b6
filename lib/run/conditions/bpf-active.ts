import { felixOf, installationOf } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { proveNodes } from '../proof/prove-nodes.ts';
import type { ConditionContext } from './context.ts';
import { dataPlaneObjects, observedGeneration, waitingForGeneration } from './data-plane-objects.ts';
import { type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/**
 * Every node is proven on eBPF, and the operator has applied the Installation's generation (operations.md › Proof of a node). The operator's status is
 * not enough: it says Available for older generations and during rollouts (controlplane.md › Recordings 2). The tests stand in the order in which
 * they come true, so that the first open one names what is awaited.
 */
export async function bpfActive(_condition: unknown, context: ConditionContext): Promise<Progress> {
  const { installation, daemonSet, felix, status, complaint, also } = await dataPlaneObjects(context);
  if (!installation) return waiting('Installation/default to exist');
  const wanted = installationOf(installation).spec.calicoNetwork.linuxDataplane;
  if (wanted !== 'BPF') {
    return {
      kind: 'failed',
      code: 'switch.reverted',
      because: `Installation/default says ${JSON.stringify(wanted)} at spec.calicoNetwork.linuxDataplane: the switch was undone outside of this run.`,
      subjects: [
        {
          kind: 'Installation',
          namespace: null,
          name: names.installation,
          detail: `linuxDataplane is ${JSON.stringify(wanted)}`,
        },
      ],
    };
  }
  if (!daemonSet) return waiting('calico-system/DaemonSet/calico-node to exist');
  // All agents switch as soon as the field is true, before the rollout reaches them (Recordings 1): nodes are shown from then on.
  const flipped =
    felixOf(felix).spec.bpfEnabled === true && felix?.metadata.annotations?.[names.bpfEnabledAnnotation] === 'true';
  const proof = flipped && felix ? await proveNodes('bpf', daemonSet, felix, context) : null;
  if (proof?.kind === 'failed') return proof;
  const nodes = proof?.nodes ? { nodes: proof.nodes } : {};

  const rolling = await rollingOut(daemonSet, context);
  if (rolling) return { ...rolling, awaiting: `${rolling.awaiting}${also}`, ...nodes };
  if (!flipped || !felix) {
    const operator = {
      kind: 'Deployment',
      namespace: names.operatorNamespace,
      name: names.operatorDeployment,
      detail: complaint ?? 'it looks again every 30 s, after 5 minutes at the latest',
    };
    return {
      kind: 'waiting',
      awaiting: `the operator to set bpfEnabled in FelixConfiguration/default${also}`,
      heldUpBy: [operator],
    };
  }
  const observed = observedGeneration(status);
  const generation = installation.metadata.generation ?? 0;
  if (observed !== null && observed < generation)
    return { ...waitingForGeneration(generation, observed, { complaint, also }), ...nodes };
  if (!proof) return waiting('every node to be on eBPF');
  if (observed !== null || proof.kind !== 'met') return proof;
  return {
    kind: 'unknown',
    because: `Every node is proven, but the operator does not report which generation of Installation/default it has applied${also}.`,
    subjects: [
      { kind: 'TigeraStatus', namespace: null, name: 'calico', detail: 'no condition has observedGeneration' },
    ],
    ...nodes,
  };
}
