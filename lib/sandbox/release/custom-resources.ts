import type { ManifestObject } from '#lib/spec/index.ts';

/** The only pool of `custom-resources.yaml` (calico.md §1.2). */
export const defaultPool = {
  name: 'default-ipv4-ippool',
  blockSize: 26,
  cidr: '192.168.0.0/16',
  encapsulation: 'VXLANCrossSubnet',
  natOutgoing: 'Enabled',
  nodeSelector: 'all()',
};

const ofOperator = (kind: string): ManifestObject => ({
  apiVersion: 'operator.tigera.io/v1',
  kind,
  metadata: { name: 'default' },
});

/** `custom-resources.yaml`, or with `network` one of its variants (calico.md §1.2). */
export function customResources(network: Readonly<Record<string, unknown>> = {}): ManifestObject[] {
  return [
    { ...ofOperator('Installation'), spec: { calicoNetwork: { ...network, ipPools: [defaultPool] } } },
    { ...ofOperator('APIServer'), spec: {} },
    ofOperator('Goldmane'),
    ofOperator('Whisker'),
  ];
}

/** The additions of `custom-resources-bpf.yaml`, which exists since v3.31. */
export const automaticMode = {
  linuxDataplane: 'BPF',
  bpfNetworkBootstrap: 'Enabled',
  kubeProxyManagement: 'Enabled',
} as const;
