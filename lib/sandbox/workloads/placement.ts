import { cannotLand, type LandingPod } from '#lib/spec/index.ts';
import { notReadyTaint } from './node-readiness.ts';
import { type NodeShape, type PodSpec, runsOn, type Toleration } from './shapes.ts';

/**
 * What a DaemonSet does on a node: `run` creates a pod, `keep` leaves one that is there, `none` deletes it (daemon_controller.go,
 * NodeShouldRunDaemonPod).
 */
export type Placement = 'run' | 'keep' | 'none';

export function daemonPlacement(spec: PodSpec, node: NodeShape): Placement {
  const { taints } = node.spec;
  if (lands(spec, node, taints)) return 'run';
  const evicting = taints.filter(({ effect }) => effect === 'NoExecute');
  return lands(spec, node, evicting) ? 'keep' : 'none';
}

/** Whether the scheduler may bind a pod to a node. Has those of its filters that a sandbox can need. */
export function mayBeScheduled(spec: PodSpec, node: NodeShape): boolean {
  const runs = runsOn(node);
  if (runs === 'nothing' || (runs === 'host network' && !toleratesNotReady(spec, 'NoSchedule'))) return false;
  const cordoned = node.spec.unschedulable && !spec.tolerations.some(toleratesEverything);
  return !cordoned && lands(spec, node, node.spec.taints);
}

/** Whether the pod's tolerations accept a node that is not Ready. The DaemonSet controller gives its pods the toleration for NoExecute. */
export function toleratesNotReady({ tolerations }: PodSpec, effect: 'NoSchedule' | 'NoExecute'): boolean {
  return tolerations.some(
    (one) =>
      (one.effect ?? effect) === effect &&
      (one.key === notReadyTaint || (one.operator === 'Exists' && one.key === undefined)),
  );
}

const daemonTolerations: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];
const hostNetworkToleration: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** The pod's own tolerations and those that the DaemonSet controller adds to every pod. */
export function tolerationsOfDaemonPod(spec: PodSpec): Toleration[] {
  const added = spec.hostNetwork ? [...daemonTolerations, hostNetworkToleration] : daemonTolerations;
  const known = new Set(spec.tolerations.map((each) => JSON.stringify(each)));
  return [...spec.tolerations, ...added.filter((each) => !known.has(JSON.stringify(each)))];
}

type Taints = NodeShape['spec']['taints'];

function lands(spec: PodSpec, node: NodeShape, taints: Taints): boolean {
  const { name, labels } = node.metadata;
  const landingTaints = taints.map(({ key, value, effect }) => ({
    key,
    effect,
    ...(value === undefined ? {} : { value }),
  }));
  return cannotLand({ name, labels, taints: landingTaints }, landingPod(spec)) === null;
}

function landingPod(spec: PodSpec): LandingPod {
  const known = landingPods.get(spec);
  if (known) return known;
  const pod: LandingPod = {
    nodeSelector: spec.nodeSelector,
    affinity: spec.affinity,
    hostNetwork: spec.hostNetwork,
    tolerations: spec.tolerations.map((each) => JSON.parse(JSON.stringify(each))),
  };
  landingPods.set(spec, pod);
  return pod;
}

/** Made once per spec: a DaemonSet asks for every node with the same one, and nobody changes a spec that was read. */
const landingPods = new WeakMap<PodSpec, LandingPod>();

function toleratesEverything({ key, operator }: Toleration): boolean {
  return operator === 'Exists' && (key === undefined || key === 'node.kubernetes.io/unschedulable');
}
