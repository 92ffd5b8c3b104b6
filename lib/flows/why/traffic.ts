import type { Labels } from '#lib/base/selectors/calico-selector.ts';
import type { Answer } from './answer.ts';

/** A pod with everything that policies evaluate. */
export type PolicyPod = {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** Null: not read. */
  readonly namespaceLabels: Labels | null;
  readonly serviceAccount: string;
  /** Null: not read. */
  readonly serviceAccountLabels: Labels | null;
  readonly addresses: readonly string[];
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
  /** Whether a NetworkSet or GlobalNetworkSet contains one of its addresses. A selector may then match the set instead of the pod. */
  readonly inNetworkSet: boolean;
};

/** A connection between two pods. `port`: the pod's port, which policies see even behind a Service; `protocol` in upper case. */
export type Traffic = {
  readonly from: PolicyPod;
  readonly to: PolicyPod;
  readonly port: number;
  readonly protocol: string;
};

/** The labels that Calico's selectors see: the pod's own, and those that Calico adds (libcalico-go/lib/backend/k8s/conversion, read 2026-11-23). */
export const selectorLabels = ({ labels, namespace, serviceAccount }: PolicyPod): Labels => ({
  ...labels,
  'projectcalico.org/namespace': namespace,
  'projectcalico.org/orchestrator': 'k8s',
  'projectcalico.org/serviceaccount': serviceAccount,
});

/** A condition on the pod's address. A pod with addresses of two families may be reached by either, so the answer is known only if it is the same for all. */
export function ofAddresses({ addresses }: PolicyPod, holds: (address: string) => boolean): Answer {
  const answers = addresses.map(holds);
  const [first] = answers;
  if (first === undefined) return { unknown: 'the pod has no address yet' };
  return answers.every((one) => one === first) ? first : { unknown: 'it applies to one address of the pod only' };
}
