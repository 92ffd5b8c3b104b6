import { cniPaths, flexVolumePaths } from '../../objects/operator-paths.ts';
import { agentDefault, awsDns, bySelector, daemonSet, probeCgroup, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const eks = {
  kind: 'eks',
  ebpf: 'supported',
  because: 'A hosted service whose proxy can be disabled.',
  endpoint: {
    host: 'the name of the provider’s load balancer in front of the API server, as `kubectl cluster-info` prints it',
    port: '443',
    stable: 'The provider keeps the name and moves the addresses behind it.',
  },
  proxy: { runsAs: daemonSet, off: bySelector },
  flexVolumePath: flexVolumePaths.other,
  cni: cniPaths.other,
  cgroupPath: agentDefault,
  provider: { value: 'EKS', by: 'detected' },
  dns: awsDns,
  source: 'spec › Per-platform values; spec › Limits; calico.md §2.1; calico.md §3.1; operations.md › operator.dns',
  read,
} as const;

const eksFlags = {
  unknown:
    'None is needed to turn kube-proxy off later. To leave it out of a new cluster, see the provider’s documentation of the kube-proxy add-on.',
};

const bottlerocketDns = {
  text: 'A name as endpoint and an operator on the host network: the operator asks a cluster DNS that needs the network which the operator is to install.',
  source: 'pain.md §1 A2',
};

export const eksGuides: readonly PlatformGuide[] = [
  {
    ...eks,
    id: 'eks-vpc-cni',
    title: 'EKS with the Amazon VPC CNI',
    tell: 'DaemonSet kube-system/aws-node; Installation spec.cni.type AmazonVPC.',
    createFlags: eksFlags,
    notes: [
      {
        text: 'The shipped custom resources are not valid with this CNI: the encapsulation must be None.',
        source: 'calico.md §13 no. 7',
      },
      { text: 'An overlay is not needed, which is the faster way.', source: 'spec › Limits' },
      bottlerocketDns,
    ],
  },
  {
    ...eks,
    id: 'eks-own-cni',
    title: 'EKS with Calico’s own CNI',
    tell: 'No DaemonSet kube-system/aws-node; Installation spec.cni.type Calico.',
    createFlags: ['eksctl create cluster --without-nodegroup', 'kubectl delete daemonset -n kube-system aws-node'],
    notes: [
      {
        text: 'As long as aws-node exists the operator takes AmazonVPC: it goes before the custom resources come.',
        source: 'calico.md §2.1; operations.md › cni.remove-aws-node',
      },
      { text: 'Without a pool of its own the operator makes 172.16.0.0/16 with VXLAN.', source: 'calico.md §2.3' },
      bottlerocketDns,
    ],
    source: `${eks.source}; https://docs.tigera.io/calico/latest/getting-started/kubernetes/managed-public-cloud/eks; eksctl-io/eksctl#5891`,
  },
  {
    ...eks,
    id: 'eks-amazon-linux',
    title: 'EKS nodes with Amazon Linux',
    tell: 'osImage begins with `Amazon Linux`.',
    createFlags: eksFlags,
    notes: [
      { text: 'The default image has a kernel recent enough.', source: 'spec › Limits' },
      {
        text: 'From kernel 6.12.53 on, releases before v3.29.7, v3.30.5 and v3.31.3 crash: upgrade Calico before the image.',
        source: 'awslabs/amazon-eks-ami#2511; pain.md §2 V2',
      },
    ],
  },
  {
    ...eks,
    id: 'eks-bottlerocket',
    title: 'EKS nodes with Bottlerocket',
    tell: 'osImage begins with `Bottlerocket OS`.',
    createFlags: eksFlags,
    flexVolumePath:
      '`/var/lib/kubelet/plugins/` must be set: /usr cannot be written. The specification has no slash at the end; the operator appends without one, so write it.',
    cgroupPath: probeCgroup,
    notes: [
      { text: 'The image has a kernel recent enough.', source: 'spec › Limits' },
      { text: 'Kernel 6.1 needs v3.27 or later.', source: 'projectcalico/calico#8001; pain.md §1 C4' },
    ],
    source: `${eks.source}; spec › Installation resource; calico.md §13 no. 14; pain.md §1 C7`,
  },
  {
    ...eks,
    id: 'eks-ubuntu',
    title: 'EKS nodes with Ubuntu',
    tell: 'osImage begins with `Ubuntu`.',
    createFlags: eksFlags,
    notes: [
      {
        text: 'From 20.04 on. The 18.04 image of this cloud has a kernel that is too old.',
        source: 'spec › Limits; product.md › Names (cloud B is EKS)',
      },
    ],
  },
];
