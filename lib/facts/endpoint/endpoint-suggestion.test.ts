import { expect, test } from 'vitest';
import type { KubeObject } from '#lib/kube/index.ts';
import { platformGuides } from '#lib/spec/index.ts';
import { nodeFacts, surveyNode } from '../cluster/nodes.ts';
import { aConfigMap, aNode, kubeadmConfig } from '../testing/sample-cluster.ts';
import type { SuggestionSigns } from './endpoint-candidates.ts';
import { suggest } from './endpoint-suggestion.ts';

const nothing: SuggestionSigns = {
  platform: 'kubeadm',
  kubeadmConfig: null,
  clusterInfo: null,
  proxyConfig: null,
  infrastructure: null,
  kopsController: null,
  apiServerPods: [],
  controllerManagerPods: [],
  nodeArguments: [],
  apiServers: ['198.18.0.11:6443'],
  clusterIPs: ['10.96.0.1'],
  serviceCIDRs: ['10.96.0.0/12'],
  nodes: [],
  server: null,
};

const kubeconfig = (server: string) => `clusters: [{name: "", cluster: {server: "${server}"}}]`;
const clusterInfo = (server: string) => aConfigMap('kube-public', 'cluster-info', { kubeconfig: kubeconfig(server) });
const apiServerPod = (issuer: string) => [
  { object: 'kube-system/Pod/kube-apiserver-a', version: null, serviceCidrs: [], issuer },
];
const infrastructure: KubeObject = {
  apiVersion: 'config.openshift.io/v1',
  kind: 'Infrastructure',
  metadata: { name: 'cluster' },
  status: {
    apiServerURL: 'https://api.prod.example.org:6443',
    apiServerInternalURI: 'https://api-int.prod.example.org:6443',
  },
};
const started = (...more: string[]) => [{ node: 'a', key: 'rke2.io/node-args', arguments: ['agent', ...more] }];

test.each<[string, Partial<SuggestionSigns>, string | null]>([
  ['what kubeadm was told', { kubeadmConfig }, 'api.lab.example:6443'],
  ['what joining nodes are told', { clusterInfo: clusterInfo('https://10.1.0.10:8443') }, '10.1.0.10:8443'],
  [
    'a cluster-info of the machine itself',
    { clusterInfo: clusterInfo('https://127.0.0.1:6443'), apiServers: [] },
    null,
  ],
  [
    'what kube-proxy uses',
    {
      proxyConfig: aConfigMap('kube-system', 'kube-proxy', { 'kubeconfig.conf': kubeconfig('https://lb.example.org') }),
    },
    'lb.example.org:443',
  ],
  ['the only API server', {}, '198.18.0.11:6443'],
  ['several API servers and nothing before them', { apiServers: ['10.0.0.1:6443', '10.0.0.2:6443'] }, null],
  ['never the ClusterIP', { apiServers: ['10.96.0.1:443'] }, null],
  ['MKE', { platform: 'mke' }, 'proxy.local:6444'],
  ['OpenShift', { platform: 'openshift', infrastructure }, 'api.prod.example.org:6443'],
  ['OpenShift without its Infrastructure', { platform: 'openshift' }, null],
  [
    'kOps by the issuer',
    {
      platform: 'kops',
      apiServerPods: apiServerPod('https://api.internal.k.example.org'),
      apiServers: ['10.0.0.1:443'],
    },
    'api.internal.k.example.org:443',
  ],
  [
    'kOps by its controller',
    {
      platform: 'kops',
      kopsController: aConfigMap('kube-system', 'kops-controller', {
        'config.yaml': '{"clusterName":"k.example.org"}',
      }),
      apiServers: [],
    },
    'api.internal.k.example.org:443',
  ],
  [
    'kOps by its controller manager, where the issuer is a bucket',
    {
      platform: 'kops',
      apiServerPods: apiServerPod('https://discovery.s3.amazonaws.com/k'),
      controllerManagerPods: [
        { object: 'kube-system/Pod/kube-controller-manager-a', podCidrs: [], clusterName: 'k.example.org' },
      ],
      apiServers: ['10.0.0.1:443'],
    },
    'api.internal.k.example.org:443',
  ],
  [
    'kOps by a kubeconfig for inside',
    { platform: 'kops', server: 'https://api.internal.k.example.org', apiServers: [] },
    'api.internal.k.example.org:443',
  ],
  [
    'kOps by the kubeconfig',
    { platform: 'kops', server: 'https://api.k.example.org', apiServers: [] },
    'api.internal.k.example.org:443',
  ],
  [
    'EKS by kube-proxy',
    {
      platform: 'eks',
      proxyConfig: aConfigMap('kube-system', 'kube-proxy', {
        kubeconfig: kubeconfig('https://X.gr7.eu-west-1.eks.amazonaws.com'),
      }),
    },
    'x.gr7.eu-west-1.eks.amazonaws.com:443',
  ],
  [
    'EKS by the kubeconfig',
    { platform: 'eks', server: 'https://X.gr7.eu-west-1.eks.amazonaws.com' },
    'x.gr7.eu-west-1.eks.amazonaws.com:443',
  ],
  [
    'AKS by a context’s server',
    { platform: 'aks', server: 'c-1.hcp.westeurope.azmk8s.io:443' },
    'c-1.hcp.westeurope.azmk8s.io:443',
  ],
  ['AKS through a tunnel', { platform: 'aks', server: 'https://127.0.0.1:8443' }, null],
  [
    'RKE2',
    { platform: 'rke2', nodeArguments: started('--server', 'https://rke.example.org:9345') },
    'rke.example.org:6443',
  ],
  [
    'Talos by the issuer',
    { platform: 'talos', apiServerPods: apiServerPod('https://talos.example.org:6443') },
    'talos.example.org:6443',
  ],
  [
    'an issuer that is a Service',
    { platform: 'talos', apiServerPods: apiServerPod('https://kubernetes.default.svc'), apiServers: [] },
    null,
  ],
])('%s', (_name, signs, expected) => {
  const suggested = suggest({ ...nothing, ...signs });
  expect(suggested && `${suggested.host}:${suggested.port}`).toBe(expected);
});

/** One row a way in which a platform is set up (lib/spec/platforms/guides), with the objects that it has before any network. */
const shapes: Record<string, { signs: Partial<SuggestionSigns>; proposed: string; source: string; doubts?: string[] }> =
  {
    'kubeadm-ha': {
      signs: { kubeadmConfig, apiServers: ['10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:6443'] },
      proposed: 'api.lab.example:6443',
      source: 'kubeadm-endpoint',
    },
    'kubeadm-single': {
      signs: { clusterInfo: clusterInfo('https://198.18.0.11:6443') },
      proposed: '198.18.0.11:6443',
      source: 'cluster-info',
      doubts: ['it is the address of the only API server: it is right only as long as that machine keeps it'],
    },
    kops: {
      signs: {
        platform: 'kops',
        apiServerPods: apiServerPod('https://api.internal.k.example.k8s.local'),
        apiServers: ['10.0.0.1:443'],
      },
      proposed: 'api.internal.k.example.k8s.local:443',
      source: 'kops-internal',
      doubts: ['a gossip cluster has this name in the hosts file of its nodes only'],
    },
    openshift: {
      signs: { platform: 'openshift', infrastructure },
      proposed: 'api.prod.example.org:6443',
      source: 'openshift-infrastructure',
      doubts: ["the cluster's own nodes use api-int.prod.example.org"],
    },
    'aks-azure-cni': {
      signs: { platform: 'aks', server: 'https://prod-dns-1a2b3c4d.hcp.westeurope.azmk8s.io:443' },
      proposed: 'prod-dns-1a2b3c4d.hcp.westeurope.azmk8s.io:443',
      source: 'kubeconfig',
      doubts: ['nodes may have to use another name than you do'],
    },
    'aks-own-cni': {
      signs: { platform: 'aks', server: 'https://prod.privatelink.westeurope.azmk8s.io' },
      proposed: 'prod.privatelink.westeurope.azmk8s.io:443',
      source: 'kubeconfig',
      doubts: ['nodes may have to use another name than you do'],
    },
    ...Object.fromEntries(
      ['eks-vpc-cni', 'eks-own-cni', 'eks-amazon-linux', 'eks-bottlerocket', 'eks-ubuntu'].map((id) => [
        id,
        {
          signs: {
            platform: 'eks' as const,
            proxyConfig: aConfigMap('kube-system', 'kube-proxy', {
              kubeconfig: kubeconfig('https://0A1B2C.gr7.eu-west-1.eks.amazonaws.com'),
            }),
            apiServers: ['10.0.1.10:443', '10.0.2.20:443'],
          },
          proposed: '0a1b2c.gr7.eu-west-1.eks.amazonaws.com:443',
          source: 'kube-proxy-kubeconfig',
        },
      ]),
    ),
    gke: {
      signs: { platform: 'gke', server: 'https://34.90.1.2' },
      proposed: '34.90.1.2:443',
      source: 'kubeconfig',
      doubts: ['nodes may have to use another name than you do'],
    },
    tkg: {
      signs: { platform: 'tkg', kubeadmConfig, clusterInfo: clusterInfo('https://10.1.0.10:6443') },
      proposed: 'api.lab.example:6443',
      source: 'kubeadm-endpoint',
    },
    rke: {
      signs: { platform: 'rke', server: 'https://rancher.example.org/k8s/clusters/c-m-1' },
      proposed: '198.18.0.11:6443',
      source: 'single-api-server',
      doubts: ['it is right only while this machine keeps its address, which must be static'],
    },
    rke2: {
      signs: { platform: 'rke2', nodeArguments: started('--server', 'https://rke.example.org:9345') },
      proposed: 'rke.example.org:6443',
      source: 'registration-address',
    },
    k3s: {
      signs: { platform: 'k3s', nodeArguments: started('--server', 'https://k3s.example.org:6443') },
      proposed: 'k3s.example.org:6443',
      source: 'registration-address',
    },
    mke: { signs: { platform: 'mke' }, proposed: 'proxy.local:6444', source: 'proxy-local' },
    kind: {
      signs: {
        platform: 'kind',
        kubeadmConfig: aConfigMap('kube-system', 'kubeadm-config', {
          ClusterConfiguration: 'controlPlaneEndpoint: kind-control-plane:6443',
        }),
      },
      proposed: 'kind-control-plane:6443',
      source: 'kubeadm-endpoint',
      doubts: ['a name without a dot resolves only where a search domain or a hosts file knows it'],
    },
    talos: {
      signs: { platform: 'talos', apiServerPods: apiServerPod('https://talos.example.org:6443') },
      proposed: 'talos.example.org:6443',
      source: 'service-account-issuer',
    },
    rancher: {
      signs: {
        platform: 'rke2',
        nodeArguments: started('--server', 'https://10.0.0.1:9345'),
        server: 'https://rancher.example.org/k8s/clusters/c-m-1',
        apiServers: ['10.0.0.1:6443', '10.0.0.2:6443', '10.0.0.3:6443'],
      },
      proposed: '10.0.0.1:6443',
      source: 'registration-address',
      doubts: ['it is one of 3 API servers: when it is away, so is the endpoint'],
    },
    generic: {
      signs: {
        platform: 'generic',
        server: 'https://k8s.example.org:6443',
        apiServers: ['10.0.0.1:6443', '10.0.0.2:6443'],
      },
      proposed: 'k8s.example.org:6443',
      source: 'kubeconfig',
      doubts: ['nodes may have to use another name than you do'],
    },
  };

test('every way in which a platform is set up has its row', () => {
  expect(Object.keys(shapes).sort()).toEqual(platformGuides.map(({ id }) => id).sort());
});

test.each(Object.entries(shapes))('%s', (_id, { signs, proposed, source, doubts = [] }) => {
  const suggested = suggest({ ...nothing, ...signs });
  expect(suggested && `${suggested.host}:${suggested.port}`).toBe(proposed);
  expect(suggested?.source).toBe(source);
  expect(suggested?.doubts).toEqual(doubts);
  // Where it was read; only MKE's name is read nowhere.
  expect(suggested?.evidence.length).toBe(source === 'proxy-local' ? 0 : 1);
  expect(suggested?.because).toMatch(/^[a-zA-Z].{20,}[^.]$/);
});

test('a proposal says what speaks against it', () => {
  const nodes = nodeFacts(
    [surveyNode(aNode({ name: 'control-1', address: '10.0.0.1', providerID: 'aws:///a/i-1' }))],
    [],
  );
  expect(suggest({ ...nothing, apiServers: ['10.0.0.1:6443'], nodes })?.doubts).toEqual([
    'it is right only while this machine keeps its address, which must be static',
    'it is the address of node control-1, which AWS may change',
  ]);
  const config = aConfigMap('kube-system', 'kubeadm-config', {
    ClusterConfiguration: 'controlPlaneEndpoint: 10.0.0.1:6443',
  });
  expect(
    suggest({ ...nothing, kubeadmConfig: config, apiServers: ['10.0.0.1:6443', '10.0.0.2:6443'] })?.doubts,
  ).toEqual(['it is one of 2 API servers: when it is away, so is the endpoint']);
  const single = aConfigMap('kube-system', 'kubeadm-config', {
    ClusterConfiguration: 'controlPlaneEndpoint: kind-control-plane:6443',
  });
  expect(suggest({ ...nothing, kubeadmConfig: single })?.doubts[0]).toContain('without a dot');
});

test('one of several API servers is recognised in whatever notation its address is written', () => {
  const controlPlane = aConfigMap('kube-system', 'kubeadm-config', {
    ClusterConfiguration: 'controlPlaneEndpoint: "[FD00:0:0::11]:6443"\n',
  });
  const apiServers = ['[fd00::11]:6443', '[fd00::12]:6443'];
  expect(suggest({ ...nothing, kubeadmConfig: controlPlane, apiServers })?.doubts).toEqual([
    'it is one of 2 API servers: when it is away, so is the endpoint',
  ]);
});
