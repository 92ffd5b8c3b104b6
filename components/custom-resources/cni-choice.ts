import { valueAt } from '#lib/base/records.ts';
import { type Spec, textAt, withValue } from './edit-spec.ts';

/** Providers with their own network, beside which Calico can run for policy only (calico.md §2.4 no. 1). */
const providers: Readonly<Record<string, { readonly cni: string; readonly title: string; readonly range: string }>> = {
  EKS: { cni: 'AmazonVPC', title: 'Amazon’s CNI (aws-node)', range: '172.16.0.0/16' },
  AKS: { cni: 'AzureVNET', title: 'Azure’s CNI', range: '192.168.0.0/16' },
};

/** CNIs that can connect the pods here; empty if only Calico can, or the spec has another one. */
export function cniChoices(spec: Spec): readonly { readonly value: string; readonly title: string }[] {
  const own = providers[textAt(spec, ['kubernetesProvider'])];
  if (own === undefined) return [];
  return [
    { value: own.cni, title: own.title },
    { value: 'Calico', title: 'Calico' },
  ];
}

/** The spec with another CNI and the fields that depend on it: IPAM, BGP and the pools, which only Calico has. */
export function withCni(spec: Spec, cni: string): Spec {
  const chosen = withValue(spec, ['cni'], cni === 'Calico' ? { type: cni } : { type: cni, ipam: { type: cni } });
  if (cni !== 'Calico')
    return withValue(withValue(chosen, ['calicoNetwork', 'bgp'], 'Disabled'), ['calicoNetwork', 'ipPools'], undefined);
  const routed = withValue(chosen, ['calicoNetwork', 'bgp'], undefined);
  if (valueAt(routed, ['calicoNetwork', 'ipPools']) !== undefined) return routed;
  const range = providers[textAt(spec, ['kubernetesProvider'])]?.range ?? '192.168.0.0/16';
  // Clouds drop packets with pods' addresses, so encapsulation is needed.
  const pool = {
    name: 'default-ipv4-ippool',
    cidr: range,
    encapsulation: 'VXLAN',
    natOutgoing: 'Enabled',
    nodeSelector: 'all()',
    blockSize: 26,
  };
  return withValue(routed, ['calicoNetwork', 'ipPools'], [pool]);
}
