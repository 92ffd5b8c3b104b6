import { meetsRequirement } from '#lib/base/selectors/label-requirement.ts';

/**
 * Whether a DaemonSet's pod may land on a node: nodeSelector, required node affinity, and taints with effect NoSchedule or NoExecute
 * (https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled, with the tolerations that its controller adds).
 */

export type LandingNode = {
  name: string;
  labels: Record<string, string>;
  taints: { key: string; value?: string; effect: string }[];
};

export type LandingPod = {
  nodeSelector?: Record<string, string>;
  affinity?: NodeAffinity | null | undefined;
  tolerations?: { key?: string; operator?: string; value?: string; effect?: string }[];
  hostNetwork?: boolean;
};

type Expression = { key: string; operator: string; values?: string[] | undefined };
type Term = { matchExpressions?: Expression[] | undefined; matchFields?: Expression[] | undefined };
/** The part of a pod's affinity that decides here. */
type NodeAffinity = {
  nodeAffinity?:
    | { requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: Term[] } | null | undefined }
    | null
    | undefined;
};

/** Taints that every daemon pod tolerates, in addition to its template. */
const alwaysTolerated = [
  'not-ready',
  'unreachable',
  'disk-pressure',
  'memory-pressure',
  'pid-pressure',
  'unschedulable',
].map((name) => `node.kubernetes.io/${name}`);

/** Why the pod cannot be scheduled on the node, as a phrase; null: it can. */
export function cannotLand(node: LandingNode, pod: LandingPod): string | null {
  const selector = Object.entries(pod.nodeSelector ?? {}).find(([key, value]) => node.labels[key] !== value);
  if (selector) return `its nodeSelector asks for ${selector[0]}=${selector[1]}`;

  const terms = requiredTerms(pod.affinity);
  if (terms && !terms.some((term) => termMatches(node, term))) return 'its node affinity excludes this node';

  const taint = node.taints.find(
    (one) => (one.effect === 'NoSchedule' || one.effect === 'NoExecute') && !tolerated(one, pod),
  );
  return taint
    ? `it does not tolerate the taint ${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`
    : null;
}

/** Labels of a node's operating system; the second is the earlier name. */
const systemLabels = ['kubernetes.io/os', 'beta.kubernetes.io/os'];

/** Whether a pod asks for another system than Linux, by its nodeSelector or in each of its terms, so that it lands on no Linux node whatever its other labels. */
export function shunsLinux({ nodeSelector = {}, affinity }: LandingPod): boolean {
  if (systemLabels.some((key) => (nodeSelector[key] ?? 'linux') !== 'linux')) return true;
  const shuns = (one: Expression) => systemLabels.includes(one.key) && !holds(one, 'linux');
  return requiredTerms(affinity)?.every(({ matchExpressions = [] }) => matchExpressions.some(shuns)) ?? false;
}

/** Null without any: the API server refuses an empty list. */
function requiredTerms(affinity: LandingPod['affinity']): Term[] | null {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.length === 0 ? null : terms;
}

function termMatches(node: LandingNode, term: Term): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length + fields.length === 0) return false;
  return (
    expressions.every((one) => holds(one, node.labels[one.key])) &&
    fields.every((one) => holds(one, one.key === 'metadata.name' ? node.name : undefined))
  );
}

/** Node affinity also compares numbers; an unknown operator matches no node. */
function holds({ operator, values }: Expression, value: string | undefined): boolean {
  if (operator === 'Gt') return value !== undefined && Number(value) > Number(values?.[0]);
  if (operator === 'Lt') return value !== undefined && Number(value) < Number(values?.[0]);
  return meetsRequirement({ operator, ...(values && { values }) }, value) ?? false;
}

function tolerated(taint: { key: string; value?: string; effect: string }, pod: LandingPod): boolean {
  if (alwaysTolerated.includes(taint.key)) return true;
  if (pod.hostNetwork && taint.key === 'node.kubernetes.io/network-unavailable') return true;
  return (pod.tolerations ?? []).some(
    (one) =>
      (one.effect === undefined || one.effect === '' || one.effect === taint.effect) &&
      ((one.operator === 'Exists' && (one.key === undefined || one.key === '' || one.key === taint.key)) ||
        (one.operator !== 'Exists' && one.key === taint.key && (one.value ?? '') === (taint.value ?? ''))),
  );
}
