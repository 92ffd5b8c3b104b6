import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import { openshiftUpgrade } from '../../release/openshift-bundle.ts';
import { openshiftProxyDaemonSet } from '../../workloads/openshift-proxy.ts';
import { serviceSubnet } from '../cluster-shape.ts';
import { everyNode, threeControlPlanes } from '../nodes.ts';
import { configMap, daemon, mirrorPod, proxyPodOn } from '../objects.ts';
import type { Sample, Samples } from '../sample.ts';
import { adding, all, changing, marking, noKubeProxy, notByKubeadm, replacing, without } from '../variations.ts';

const openshift = (kind: string, group: string, name: string, more: Record<string, unknown>): KubeObject => ({
  apiVersion: `${group}.openshift.io/v1`,
  kind,
  metadata: { name },
  ...more,
});

const rhcos = 'Red Hat Enterprise Linux CoreOS 418.94.202411051056-0';

/** The Service range of all samples. By default these distributions take another one. */
const ranges = ['--service-cidr', serviceSubnet];

/** A cluster of RKE2 or K3s: servers and agents, with the flags that each agent writes on its node. */
const rancher = (
  shows: string,
  product: 'rke2' | 'k3s',
  registration: string,
  more: Partial<Sample['differs']> = {},
): Sample => ({
  shows,
  differs: {
    kubernetesVersion: product === 'rke2' ? 'v1.34.1+rke2r1' : 'v1.34.1+k3s1',
    nodes: threeControlPlanes().map((node, index) => ({
      ...node,
      osImage: product === 'rke2' ? 'SUSE Linux Enterprise Server 15 SP6' : 'Ubuntu 24.04.1 LTS',
      kernel: product === 'rke2' ? '6.4.0-150600.23.25-default' : '6.8.0-45-generic',
      providerID: `${product}://${node.name}`,
      annotations: {
        [`${product}.io/node-args`]: JSON.stringify(
          index === 0
            ? ['server', '--cni', 'none', ...ranges]
            : [...(index < 3 ? ['server', ...ranges] : ['agent']), '--server', registration, '--token', '********'],
        ),
      },
    })),
    variation: all(
      notByKubeadm('api.sandbox.example:6443', '10.0.0.11:6443', '10.0.0.12:6443', '10.0.0.13:6443'),
      noKubeProxy,
    ),
    ...more,
  },
});

/**
 * The objects that OpenShift's installer and network operator leave, as far as an installation reads or changes them. `clusterNetwork`: the pod
 * network that the installer was given; the operator takes it for the pools (calico.md §2.3).
 */
export function openshiftObjects(domain: string, clusterNetwork?: string): KubeObject[] {
  const network = {
    networkType: 'Calico',
    serviceNetwork: [serviceSubnet],
    ...(clusterNetwork ? { clusterNetwork: [{ cidr: clusterNetwork, hostPrefix: 23 }] } : {}),
  };
  return [
    openshift('ClusterVersion', 'config', 'version', { spec: {}, status: { desired: { version: '4.18.1' } } }),
    openshift('Infrastructure', 'config', 'cluster', {
      status: {
        apiServerURL: `https://api.${domain}:6443`,
        apiServerInternalURI: `https://api-int.${domain}:6443`,
        platform: 'None',
      },
    }),
    openshift('Network', 'config', 'cluster', { spec: network, status: network }),
    openshift('Network', 'operator', 'cluster', {
      spec: { deployKubeProxy: true, defaultNetwork: { type: 'Calico' }, kubeProxyConfig: { proxyArguments: {} } },
    }),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: names.openshiftProxy }, status: { phase: 'Active' } },
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: names.openshiftProxy, namespace: names.openshiftProxy },
    },
    openshiftProxyDaemonSet(),
  ];
}

export const openshiftDiffers = (clusterNetwork?: string): Sample['differs'] => ({
  nodes: threeControlPlanes({
    osImage: rhcos,
    kernel: '5.14.0-427.42.1.el9_4.x86_64',
    labels: { 'node.openshift.io/os_id': 'rhcos' },
  }),
  controlPlaneEndpoint: 'api-int.sandbox.example:6443',
  provider: 'OpenShift',
  variation: all(
    notByKubeadm('api.ocp.sandbox.example:6443', 'api-int.ocp.sandbox.example:6443', '10.0.0.11:6443'),
    noKubeProxy,
    adding(...openshiftObjects('ocp.sandbox.example', clusterNetwork)),
  ),
});

/** OpenShift with an older release, whose operator has the fields that the upgrade's file sets. */
function openshiftBehind(): Sample['differs'] {
  const calico = 'v3.30.7';
  const { variation, ...differs } = openshiftDiffers();
  const written = openshiftUpgrade(calico, 'v1.38.16').find(({ kind }) => kind === 'Deployment');
  const { initContainers } = Object(written?.spec).template.spec;
  const defaulted = initContainers.map((one: object) => ({ ...containerDefaults, ...one }));
  return {
    ...differs,
    calico,
    variation: all(
      ...(variation ? [variation] : []),
      changing('tigera-operator/Deployment/tigera-operator', (object) => {
        const spec = Object(object.spec);
        const resources = { name: 'calico-resources', configMap: { defaultMode: 420, name: 'calico-resources' } };
        const { volumes, ...rest } = spec.template.spec;
        const pod = { ...rest, initContainers: defaulted, volumes: [...volumes, resources] };
        return { ...object, spec: { ...spec, template: { ...spec.template, spec: pod } } };
      }),
      adding(configMap('tigera-operator', 'calico-resources', {})),
    ),
  };
}

export const distributions: Samples = {
  openshift: {
    shows: "OpenShift: its network operator runs the proxy, and its nodes' /usr cannot be written",
    differs: openshiftDiffers(),
  },
  'openshift-3.30': {
    shows: 'OpenShift with Calico v3.30.7, which is upgraded by a file of its own',
    differs: openshiftBehind(),
  },
  rke2: rancher(
    'RKE2: kube-proxy is a static pod that each agent writes; it is turned off in the configuration of the servers',
    'rke2',
    'https://api.sandbox.example:9345',
    {
      provider: 'RKE2',
      variation: all(
        notByKubeadm('api.sandbox.example:6443', '10.0.0.11:6443', '10.0.0.12:6443', '10.0.0.13:6443'),
        noKubeProxy,
        adding(configMap('kube-system', 'rke2', {})),
        adding(...threeControlPlanes().map(proxyPodOn)),
      ),
    },
  ),
  k3s: rancher(
    'K3s: kube-proxy is part of its agent; it is turned off with a flag of every server',
    'k3s',
    'https://api.sandbox.example:6443',
  ),
  rke: {
    shows: 'RKE, the first one: eBPF mode is not supported there',
    differs: {
      nodes: everyNode(({ address = '' }) => ({ annotations: { 'rke.cattle.io/internal-ip': address } })),
      variation: all(
        notByKubeadm('10.0.0.11:6443'),
        noKubeProxy,
        adding(configMap('kube-system', 'full-cluster-state', { 'full-cluster-state': '{}' })),
      ),
    },
  },
  mke: {
    shows: 'Mirantis Kubernetes Engine: the endpoint is proxy.local, which every node resolves by itself',
    differs: {
      nodes: everyNode(({ role }) => ({
        labels: {
          'com.docker.ucp.collection': 'shared',
          'com.docker.ucp.orchestrator.kubernetes': 'true',
          ...(role === 'control-plane' ? { 'node-role.kubernetes.io/master': '' } : {}),
        },
      })),
      provider: 'DockerEnterprise',
      variation: all(
        notByKubeadm('proxy.local:6444', '10.0.0.11:6443'),
        noKubeProxy,
        adding(
          daemon('kube-system', 'ucp-kube-proxy', 'images.sandbox.example/ucp-hyperkube:3.8.2', {
            labels: { 'k8s-app': 'kube-proxy' },
            container: { name: 'kube-proxy' },
          }),
        ),
      ),
    },
  },
  talos: {
    shows: 'Talos: the endpoint is the one its API server was given as its public name; /usr cannot be written',
    differs: {
      nodes: threeControlPlanes({ osImage: 'Talos (v1.11.3)', kernel: '6.12.52-talos' }),
      controlPlaneEndpoint: 'localhost:7445',
      variation: all(
        notByKubeadm('talos.sandbox.example:6443', '10.0.0.11:6443', '10.0.0.12:6443', '10.0.0.13:6443'),
        without('kube-system/ConfigMap/kube-proxy'),
        changing(
          'kube-system/DaemonSet/kube-proxy',
          replacing(['--config=/var/lib/kube-proxy/config.conf', '--proxy-mode=iptables']),
        ),
        adding(
          ...threeControlPlanes()
            .slice(0, 3)
            .map(({ name, address = '' }) =>
              mirrorPod(
                { name, address },
                'kube-apiserver',
                'images.sandbox.example/kube-apiserver:v1.34.3',
                [
                  '/usr/local/bin/kube-apiserver',
                  '--service-account-issuer=https://talos.sandbox.example:6443',
                  '--service-cluster-ip-range=10.96.0.0/12',
                ],
                '2026-01-01T00:00:00Z',
              ),
            ),
        ),
      ),
    },
  },
  rancher: {
    shows: 'RKE2 that Rancher manages: Fleet writes the Installation, and would put it back',
    ...rancherManaged(),
  },
};

function rancherManaged(): Pick<Sample, 'differs'> {
  const { differs } = rancher('', 'rke2', 'https://api.sandbox.example:9345');
  return {
    differs: {
      ...differs,
      provider: 'RKE2',
      variation: all(
        ...(differs.variation ? [differs.variation] : []),
        adding(configMap('kube-system', 'rke2', {}), ...threeControlPlanes().map(proxyPodOn)),
        marking('Installation/default', {
          labels: { 'fleet.cattle.io/bundle-name': 'sandbox-networking' },
          annotations: { 'objectset.rio.cattle.io/id': 'fleet-sandbox-networking' },
        }),
      ),
    },
  };
}
