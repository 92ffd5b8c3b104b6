import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { at } from './difference.ts';
import type { Quirks } from './quirks.ts';
import { rolledOut } from './rollout.ts';

export type ProxyFacts = {
  wantsBpf: boolean;
  bpfEnabled: boolean;
  proxy: KubeObject;
  calicoNode: KubeObject | null;
};

/** Whether the operator's selector is on the DaemonSet now. */
export function turnedOff(proxy: KubeObject): boolean {
  return at(proxy, 'spec', 'template', 'spec', 'nodeSelector', names.operatorProxySelector) !== undefined;
}

/**
 * Whether kube-proxy should be off (calico.md §3.6). The public one follows bpfEnabled alone.
 * Ours takes it away only when eBPF serves every node, keeps it away while nodes roll later on, and brings it back before eBPF goes.
 */
export function proxyShouldBeOff(facts: ProxyFacts, quirks: Quirks): boolean {
  const back = quirks.has('bpf-off-before-proxy-is-back') || facts.wantsBpf;
  if (!facts.bpfEnabled || !back) return false;
  if (quirks.has('proxy-off-before-first-agent') || turnedOff(facts.proxy)) return true;
  return facts.calicoNode !== null && rolledOut(facts.calicoNode);
}

/** Signs that somebody else writes this DaemonSet: then the operator must not (calico.md §3.6). Null = none. */
export function managedElsewhere(proxy: KubeObject): string | null {
  const labels = ['app.kubernetes.io/managed-by', 'addonmanager.kubernetes.io/mode'];
  const label = labels.find((key) => proxy.metadata.labels?.[key] !== undefined);
  if (label) return `label ${label}`;
  const annotation = 'argocd.argoproj.io/tracking-id';
  return proxy.metadata.annotations?.[annotation] === undefined ? null : `annotation ${annotation}`;
}
