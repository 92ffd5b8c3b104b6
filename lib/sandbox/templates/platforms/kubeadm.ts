import { everyNode, threeControlPlanes } from '../nodes.ts';
import type { Samples } from '../sample.ts';
import { notByKubeadm } from '../variations.ts';

/** kubeadm, the tools that build on it, and a cluster whose installer nobody knows. */
export const kubeadm: Samples = {
  'kubeadm-ha': {
    shows: 'kubeadm with three control plane nodes behind a load balancer that has a name',
    differs: { nodes: threeControlPlanes() },
  },
  kind: {
    shows: 'kind: kubeadm in containers, its API at a name that only the nodes of the machine know',
    differs: {
      nodes: everyNode(({ name }) => ({
        providerID: `kind://docker/sandbox/${name}`,
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        kernel: '6.8.0-45-generic',
      })),
      controlPlaneEndpoint: 'sandbox-control-plane:6443',
      provider: 'Kind',
    },
  },
  tkg: {
    shows: 'Tanzu Kubernetes Grid: eBPF mode is not supported there',
    differs: {
      kubernetesVersion: 'v1.34.1+vmware.1',
      nodes: everyNode({ osImage: 'VMware Photon OS/Linux', kernel: '6.1.112-1.ph5' }),
    },
  },
  plain: {
    shows: 'Kubernetes made by hand: nothing tells who made it, or which addresses its Services have',
    differs: { variation: notByKubeadm('api.sandbox.example:6443', '10.0.0.11:6443') },
  },
};
