import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from './difference.ts';

/** Whether the DaemonSet has the operator's selector now. */
export function turnedOff(proxy: KubeObject): boolean {
  return memberAt(proxy, 'spec', 'template', 'spec', 'nodeSelector', names.operatorProxySelector) !== undefined;
}

/** A sign that somebody else manages this DaemonSet, in which case the operator must not write it (calico.md §3.6). Null: none. */
export function managedElsewhere(proxy: KubeObject): string | null {
  const labels = [names.managedByLabel, 'addonmanager.kubernetes.io/mode'];
  const label = labels.find((key) => proxy.metadata.labels?.[key] !== undefined);
  if (label) return `label ${label}`;
  const annotation = 'argocd.argoproj.io/tracking-id';
  return proxy.metadata.annotations?.[annotation] === undefined ? null : `annotation ${annotation}`;
}
