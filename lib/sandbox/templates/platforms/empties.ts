import type { Sample, Samples } from '../sample.ts';
import { noKubeProxy } from '../variations.ts';
import { clouds } from './clouds.ts';
import { distributions, openshiftDiffers } from './distributions.ts';
import { kubeadm } from './kubeadm.ts';

/** The same platform before anybody installed Calico. */
function before(sample: Sample | undefined, shows: string, more: Sample['differs'] = {}): Sample {
  if (!sample) throw new Error(`no sample to empty: ${shows}`);
  return { shows, differs: { ...sample.differs, ...more }, calico: 'absent' };
}

/** Clusters without Calico, as each platform leaves them. */
export const empties: Samples = {
  'empty-kubeadm': before(kubeadm['kubeadm-ha'], 'kubeadm without a network yet; its podSubnet is 10.244.0.0/16', {
    podSubnet: '10.244.0.0/16',
  }),
  'empty-without-proxy': {
    shows: 'kubeadm made with --skip-phases=addon/kube-proxy, without a network yet',
    differs: { podSubnet: '10.244.0.0/16', variation: noKubeProxy },
    calico: 'absent',
  },
  'empty-eks-aws-node': before(
    clouds['eks-vpc-cni'],
    'EKS as it comes, with the Amazon VPC CNI (aws-node) and no Calico',
  ),
  'empty-eks': before(clouds['eks-own-cni'], 'EKS whose aws-node was removed: without a network yet, on Bottlerocket'),
  'empty-aks': before(clouds['aks-own-cni'], 'AKS made with --network-plugin none: without a network yet'),
  'empty-openshift': {
    shows: 'OpenShift whose installer was told networkType Calico: waits for its network',
    differs: openshiftDiffers('10.128.0.0/14'),
    calico: 'absent',
  },
  'empty-mke': before(distributions.mke, 'Mirantis Kubernetes Engine made with --unmanaged-cni: no network yet'),
  'empty-kops': before(clouds.kops, 'kOps made with networking cni: {}, so that it brings no network'),
  'empty-rke2': before(distributions.rke2, 'RKE2 made with cni: none, without a network yet'),
  'empty-k3s': before(distributions.k3s, 'K3s made with --flannel-backend=none --disable-network-policy'),
  'empty-talos': before(distributions.talos, 'Talos made with cluster.network.cni.name: none, without a network yet'),
  'empty-kind': before(kubeadm.kind, 'kind made with disableDefaultCNI: true; its podSubnet is 10.244.0.0/16', {
    podSubnet: '10.244.0.0/16',
  }),
};

/** The operator reads the pod network from kubeadm's configuration, and refuses where that names none (calico.md §2.3). */
export const noPodSubnet: Samples = {
  'no-pod-subnet': {
    shows: 'kubeadm init without --pod-network-cidr: the operator finds no podSubnet, and makes no pools',
    differs: { podSubnet: null },
    calico: 'absent',
  },
};
