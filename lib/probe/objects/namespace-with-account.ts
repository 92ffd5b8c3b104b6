import type { V1Namespace, V1ServiceAccount } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';

/** A namespace that allows pods on the host's network, and an account in it without any rights. */
export function namespaceWithAccount({ namespace, account }: { readonly namespace: string; readonly account: string }) {
  const labels = { [names.managedByLabel]: names.fieldManager };
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace, labels: { ...labels, 'pod-security.kubernetes.io/enforce': 'privileged' } },
    } satisfies ObjectToWrite<V1Namespace>,
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace, labels },
      automountServiceAccountToken: false,
    } satisfies ObjectToWrite<V1ServiceAccount>,
  ];
}
