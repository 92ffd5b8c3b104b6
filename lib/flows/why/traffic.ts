import type { Labels } from '#lib/base/selectors/calico-selector.ts';

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
