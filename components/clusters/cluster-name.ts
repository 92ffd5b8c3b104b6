import type { ClusterEntry } from '#lib/console/host.ts';

/** Where a cluster's name comes from, as a phrase. */
export function origin({ kind, current, server }: ClusterEntry): string {
  switch (kind) {
    case 'in-cluster':
      return 'the cluster that this console runs in';
    case 'sandbox':
      return 'sandbox';
    case 'kubeconfig':
      return `${current ? "the kubeconfig's current context" : 'kubeconfig'}${server === null ? '' : ` · ${server}`}`;
  }
}
