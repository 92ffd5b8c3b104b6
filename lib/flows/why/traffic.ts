import type { Labels } from '#lib/base/selectors/calico-selector.ts';

/** A pod as policies see it. */
export type PolicyPod = {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Labels;
  /** Null: they were not read. */
  readonly namespaceLabels: Labels | null;
  readonly serviceAccount: string;
  /** Null: they were not read. */
  readonly serviceAccountLabels: Labels | null;
  readonly addresses: readonly string[];
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
  /** A NetworkSet or a GlobalNetworkSet holds one of its addresses: a selector may mean that, and not the pod. */
  readonly inNetworkSet: boolean;
};

/** A connection between two pods. `port`: of the pod, as policies see it behind a Service; `protocol` in capitals. */
export type Traffic = {
  readonly from: PolicyPod;
  readonly to: PolicyPod;
  readonly port: number;
  readonly protocol: string;
};

/** Labels by which Calico's selectors see a pod: its own, and Calico's (libcalico-go/lib/backend/k8s/conversion, read 2026-11-23). */
export const selectorLabels = ({ labels, namespace, serviceAccount }: PolicyPod): Labels => ({
  ...labels,
  'projectcalico.org/namespace': namespace,
  'projectcalico.org/orchestrator': 'k8s',
  'projectcalico.org/serviceaccount': serviceAccount,
});
