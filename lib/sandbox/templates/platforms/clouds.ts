import { containerDefaults } from '#lib/operator/index.ts';
import type { NodeDescription } from '../../builders.ts';
import { sixWorkers } from '../nodes.ts';
import { configMap, daemon, proxyPodOn } from '../objects.ts';
import type { Sample, Samples } from '../sample.ts';
import { adding, all, changing, marking, noKubeProxy, notByKubeadm, replacing } from '../variations.ts';

const eksHost = 'a1b2c3d4e5f6a7b8c9d0.gr7.eu-west-1.eks.sandbox.example';
const aksHost = 'sandbox-dns-1a2b3c4d.hcp.westeurope.azmk8s.sandbox.example';
const gkeHost = '203.0.113.20';

const eksServers = ['10.0.1.10', '10.0.2.10'];

/** EKS keeps the kubeconfig of its proxy in the ConfigMap with the usual name, and the settings in another one. */
const eksProxy = all(
  changing('kube-system/ConfigMap/kube-proxy', (object) => {
    const data = Object(object.data) as Record<string, string>;
    return { ...object, data: { kubeconfig: (data['kubeconfig.conf'] ?? '').replace(/:443$/m, '') } };
  }),
  adding(
    configMap('kube-system', 'kube-proxy-config', {
      config: 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: "iptables"\n',
    }),
  ),
  changing(
    'kube-system/DaemonSet/kube-proxy',
    replacing(
      ['--config=/var/lib/kube-proxy/config.conf', '--config=/var/lib/kube-proxy-config/config'],
      ['"volumes":[', '"volumes":[{"configMap":{"defaultMode":420,"name":"kube-proxy-config"},"name":"config"},'],
    ),
  ),
);

const onEks = (osImage: string, kernel: string) =>
  sixWorkers((index) => ({
    name: `ip-10-0-0-${11 + index}.eu-west-1.compute.internal`,
    providerID: `aws:///eu-west-1a/i-0000000000000000${index}`,
    labels: { 'eks.amazonaws.com/nodegroup': 'default' },
    kubelet: 'v1.34.1-eks-113cf36',
    osImage,
    kernel,
  }));

/**
 * Fields of a node of EKS Auto Mode (docs.aws.amazon.com › EKS › Auto Mode › Migrate from EKS Managed Node Groups, the output of `kubectl get nodes
 * -o wide`). Read 2026-11-23.
 */
const autoNode = (index: number): Partial<NodeDescription> => ({
  name: `i-0000000000000000${index}`,
  labels: { 'eks.amazonaws.com/compute-type': 'auto', 'karpenter.sh/nodepool': 'general-purpose' },
  osImage: 'Bottlerocket (EKS Auto, Standard) 2025.12.5 (aws-k8s-1.34-standard)',
  kernel: '6.12.55',
});

/** Fields with which `nodeadm` registers a hybrid node (aws/eks-hybrid internal/kubelet/config.go). Read 2026-11-23. */
const hybridNode = (index: number): Partial<NodeDescription> => ({
  name: `mi-0000000000000000${index}`,
  address: `10.80.0.${11 + index}`,
  providerID: `eks-hybrid:///eu-west-1/sandbox/mi-0000000000000000${index}`,
  labels: { 'eks.amazonaws.com/compute-type': 'hybrid' },
  osImage: 'Ubuntu 24.04.1 LTS',
  kernel: '6.8.0-45-generic',
});

const eks = (
  shows: string,
  cni: 'AmazonVPC' | 'Calico',
  osImage: string,
  kernel: string,
  /** Fields that differ on the last two nodes. */
  others: (index: number) => Partial<NodeDescription> = () => ({}),
): Sample => ({
  shows,
  differs: {
    kubernetesVersion: 'v1.34.1',
    nodes: onEks(osImage, kernel).map((node, index) => (index < 4 ? node : { ...node, ...others(index) })),
    controlPlaneEndpoint: `${eksHost}:443`,
    apiServers: eksServers,
    apiServerPort: 443,
    provider: 'EKS',
    cni,
    variation: all(
      notByKubeadm(`${eksHost}:443`, ...eksServers.map((address) => `${address}:443`)),
      eksProxy,
      adding(
        configMap('kube-system', 'aws-auth', { mapRoles: '[]\n' }),
        ...(cni === 'AmazonVPC'
          ? [daemon('kube-system', 'aws-node', 'images.sandbox.example/amazon-k8s-cni:v1.20.4')]
          : []),
      ),
    ),
  },
});

const aks = (shows: string, cni: 'AzureVNET' | 'Calico'): Sample => ({
  shows,
  differs: {
    nodes: sixWorkers((index) => ({
      name: `aks-nodepool1-12345678-vmss00000${index}`,
      providerID: `azure:///subscriptions/0000/resourceGroups/mc_sandbox/providers/Microsoft.Compute/virtualMachineScaleSets/aks-nodepool1-12345678-vmss/virtualMachines/${index}`,
      labels: { 'kubernetes.azure.com/cluster': 'mc_sandbox', agentpool: 'nodepool1' },
      osImage: 'Ubuntu 22.04.5 LTS',
      kernel: '5.15.0-1075-azure',
    })),
    controlPlaneEndpoint: `${aksHost}:443`,
    apiServers: ['203.0.113.10'],
    apiServerPort: 443,
    provider: 'AKS',
    cni,
    variation: all(
      notByKubeadm(`${aksHost}:443`, '203.0.113.10:443'),
      ...(cni === 'AzureVNET'
        ? [marking('kube-system/DaemonSet/kube-proxy', { labels: { 'addonmanager.kubernetes.io/mode': 'Reconcile' } })]
        : []),
      ...(cni === 'AzureVNET'
        ? [adding(daemon('kube-system', 'azure-cns', 'images.sandbox.example/azure-cns:v1.6.13'))]
        : []),
    ),
  },
});

const gkeNodes = sixWorkers((index) => ({
  name: `gke-sandbox-default-pool-1a2b3c4d-000${index}`,
  providerID: `gce://sandbox/europe-west1-b/gke-sandbox-default-pool-1a2b3c4d-000${index}`,
  labels: { 'cloud.google.com/gke-nodepool': 'default-pool' },
  osImage: 'Container-Optimized OS from Google',
  kernel: '6.6.56+',
}));

const kopsNodes = sixWorkers((index) => ({
  name: `i-0000000000000000${index}`,
  role: index === 0 ? 'control-plane' : 'worker',
  providerID: `aws:///eu-west-1a/i-0000000000000000${index}`,
  labels: { 'kops.k8s.io/instancegroup': index === 0 ? 'control-plane-eu-west-1a' : 'nodes-eu-west-1a' },
}));

export const kopsDiffers: Sample['differs'] = {
  nodes: kopsNodes,
  controlPlaneEndpoint: 'api.internal.k8s.sandbox.example:443',
  apiServerPort: 443,
  variation: all(
    notByKubeadm('api.internal.k8s.sandbox.example:443', '10.0.0.11:443'),
    noKubeProxy,
    adding(
      configMap('kube-system', 'kops-controller', {
        'config.yaml': '{"clusterName":"k8s.sandbox.example","cloud":"aws"}\n',
      }),
      ...kopsNodes.map(proxyPodOn),
    ),
  ),
};

const onVpcCni = eks(
  'EKS with the Amazon VPC CNI; Calico is there for policy',
  'AmazonVPC',
  'Amazon Linux 2023.6.20241010',
  '6.1.112-122.189.amzn2023.x86_64',
);

/** Adds the container that enforces NetworkPolicies, with the flag that turns this on (aws/aws-network-policy-agent README.md). */
const enforcingPolicies = changing('kube-system/DaemonSet/aws-node', (object) => {
  const { template, ...spec } = Object(object.spec);
  const agent = {
    ...containerDefaults,
    name: 'aws-eks-nodeagent',
    image: 'images.sandbox.example/aws-network-policy-agent:v1.2.7',
    args: ['--enable-ipv6=false', '--enable-network-policy=true'],
  };
  const containers = [...template.spec.containers, agent];
  return { ...object, spec: { ...spec, template: { ...template, spec: { ...template.spec, containers } } } };
});

export const clouds: Samples = {
  'eks-vpc-cni': onVpcCni,
  'eks-vpc-policy': {
    shows: 'EKS whose Amazon VPC CNI enforces policies itself: its eBPF programs are attached where those of Calico go',
    differs: {
      ...onVpcCni.differs,
      variation: all(...(onVpcCni.differs?.variation ? [onVpcCni.differs.variation] : []), enforcingPolicies),
    },
  },
  'eks-own-cni': eks(
    "EKS with Calico's own network, on Bottlerocket nodes",
    'Calico',
    'Bottlerocket OS 1.26.1 (aws-k8s-1.34)',
    '6.1.112',
  ),
  'eks-auto-mode': eks(
    'EKS with two nodes of Auto Mode, where network and service proxy are part of each machine',
    'AmazonVPC',
    'Amazon Linux 2023.6.20241010',
    '6.1.112-122.189.amzn2023.x86_64',
    autoNode,
  ),
  'eks-hybrid': eks(
    'EKS with two hybrid nodes: machines outside of AWS, where its resolver cannot be reached',
    'Calico',
    'Amazon Linux 2023.6.20241010',
    '6.1.112-122.189.amzn2023.x86_64',
    hybridNode,
  ),
  'aks-azure-cni': aks('AKS with Azure CNI: the provider keeps kube-proxy, so it cannot be turned off', 'AzureVNET'),
  'aks-own-cni': aks("AKS made without a network (--network-plugin none), with Calico's own", 'Calico'),
  gke: {
    shows: 'GKE: eBPF mode is not supported there',
    differs: {
      kubernetesVersion: 'v1.34.1-gke.1829001',
      nodes: gkeNodes,
      controlPlaneEndpoint: `${gkeHost}:443`,
      apiServers: [gkeHost],
      apiServerPort: 443,
      provider: 'GKE',
      cni: 'Calico',
      variation: all(notByKubeadm(`${gkeHost}:443`), noKubeProxy, adding(...gkeNodes.map(proxyPodOn))),
    },
  },
  kops: {
    shows: 'kOps on AWS: the endpoint is its internal name, kube-proxy a static pod of each node',
    differs: kopsDiffers,
  },
};
