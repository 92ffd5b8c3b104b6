import type { KubeObject } from '#lib/kube/index.ts';

/** `kube-system/ConfigMap/kube-proxy`. */
export function objectKey({ kind, metadata }: KubeObject): string {
  return `${metadata.namespace ? `${metadata.namespace}/` : ''}${kind}/${metadata.name}`;
}
