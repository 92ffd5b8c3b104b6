import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, deploymentDefaults, podDefaults } from '#lib/operator/index.ts';
import { answersAnnotation } from '../workloads/answering-endpoints.ts';
import {
  type ClusterShape,
  controlPlaneAddresses,
  dnsServiceIP,
  kubernetesServiceIP,
  serviceSubnet,
  podSubnet as usualPodSubnet,
} from './cluster-shape.ts';

/** The objects that kubeadm leaves in a cluster: its two ConfigMaps, kube-proxy, CoreDNS, and the API server's Service and endpoints. */
export function kubeadmObjects(shape: ClusterShape): KubeObject[] {
  return [
    ...['default', 'kube-node-lease', 'kube-public', 'kube-system'].map(namespace),
    kubeadmConfig(shape),
    clusterInfo(shape),
    kubeProxyConfig(shape),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'kube-proxy', namespace: 'kube-system' } },
    kubeProxy(shape),
    ...coreDns(),
    kubernetesService(shape),
    kubernetesSlice(shape),
  ];
}

export function namespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function configMap(namespace: string, name: string, data: Record<string, string>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

function kubeadmConfig({
  controlPlaneEndpoint,
  kubernetesVersion,
  podSubnet = usualPodSubnet,
}: ClusterShape): KubeObject {
  return configMap('kube-system', 'kubeadm-config', {
    ClusterConfiguration: [
      'apiServer: {}',
      'apiVersion: kubeadm.k8s.io/v1beta4',
      'caCertificateValidityPeriod: 87600h0m0s',
      'certificateValidityPeriod: 8760h0m0s',
      'certificatesDir: /etc/kubernetes/pki',
      'clusterName: kubernetes',
      `controlPlaneEndpoint: ${controlPlaneEndpoint}`,
      'controllerManager: {}',
      'dns: {}',
      'encryptionAlgorithm: RSA-2048',
      'etcd:',
      '  local:',
      '    dataDir: /var/lib/etcd',
      'imageRepository: registry.k8s.io',
      'kind: ClusterConfiguration',
      `kubernetesVersion: ${kubernetesVersion}`,
      'networking:',
      '  dnsDomain: cluster.local',
      ...(podSubnet === null ? [] : [`  podSubnet: ${podSubnet}`]),
      `  serviceSubnet: ${serviceSubnet}`,
      'proxy: {}',
      'scheduler: {}',
      '',
    ].join('\n'),
  });
}

function clusterInfo({ controlPlaneEndpoint, answers, ca = 'signalbox sandbox' }: ClusterShape): KubeObject {
  const info = configMap('kube-public', 'cluster-info', {
    kubeconfig: [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      `    certificate-authority-data: ${Buffer.from(ca).toString('base64')}`,
      `    server: https://${controlPlaneEndpoint}`,
      '  name: ""',
      'contexts: null',
      'current-context: ""',
      'kind: Config',
      'preferences: {}',
      'users: null',
      '',
    ].join('\n'),
  });
  if (answers) info.metadata.annotations = { [answersAnnotation]: answers.join(',') };
  return info;
}

function kubeProxyConfig({ controlPlaneEndpoint, proxy, podSubnet = usualPodSubnet }: ClusterShape): KubeObject {
  // kubeadm leaves the mode empty, which means iptables on Linux.
  const mode = proxy.mode === 'iptables' ? '""' : proxy.mode;
  return configMap('kube-system', 'kube-proxy', {
    'config.conf': [
      'apiVersion: kubeproxy.config.k8s.io/v1alpha1',
      'bindAddress: 0.0.0.0',
      'bindAddressHardFail: false',
      'clientConnection:',
      '  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf',
      `clusterCIDR: ${podSubnet ?? '""'}`,
      'healthzBindAddress: ""',
      'kind: KubeProxyConfiguration',
      'metricsBindAddress: ""',
      `mode: ${mode}`,
      '',
    ].join('\n'),
    'kubeconfig.conf': [
      'apiVersion: v1',
      'kind: Config',
      'clusters:',
      '- cluster:',
      '    certificate-authority: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
      `    server: https://${controlPlaneEndpoint}`,
      '  name: default',
      'contexts:',
      '- context:',
      '    cluster: default',
      '    namespace: default',
      '    user: default',
      '  name: default',
      'current-context: default',
      'users:',
      '- name: default',
      '  user:',
      '    tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token',
      '',
    ].join('\n'),
  });
}

function kubeProxy({ kubernetesVersion, proxy }: ClusterShape): KubeObject {
  const labels = { 'k8s-app': 'kube-proxy' };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-proxy', namespace: 'kube-system', labels },
    spec: {
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              command: [
                '/usr/local/bin/kube-proxy',
                '--config=/var/lib/kube-proxy/config.conf',
                '--hostname-override=$(NODE_NAME)',
              ],
              env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } }],
              image: `registry.k8s.io/kube-proxy:${kubernetesVersion}`,
              name: 'kube-proxy',
              securityContext: { privileged: true },
              volumeMounts: [
                { mountPath: '/var/lib/kube-proxy', name: 'kube-proxy' },
                { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
                { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
              ],
            },
          ],
          dnsPolicy: 'ClusterFirst',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux', ...(proxy.turnedOff ? { 'non-calico': 'true' } : {}) },
          priorityClassName: 'system-node-critical',
          serviceAccount: 'kube-proxy',
          serviceAccountName: 'kube-proxy',
          terminationGracePeriodSeconds: 30,
          tolerations: [{ operator: 'Exists' }],
          volumes: [
            { configMap: { defaultMode: 420, name: 'kube-proxy' }, name: 'kube-proxy' },
            { hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' }, name: 'xtables-lock' },
            { hostPath: { path: '/lib/modules', type: '' }, name: 'lib-modules' },
          ],
        },
      },
      updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: 'RollingUpdate' },
    },
  };
}

function coreDns(): KubeObject[] {
  const labels = { 'k8s-app': 'kube-dns' };
  return [
    configMap('kube-system', 'coredns', {
      Corefile:
        '.:53 {\n    errors\n    ready\n    kubernetes cluster.local in-addr.arpa ip6.arpa\n    forward . /etc/resolv.conf\n    cache 30\n}\n',
    }),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: {
        name: 'kube-dns',
        namespace: 'kube-system',
        labels: { ...labels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
      },
      spec: service(dnsServiceIP, labels, [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
        { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
        { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
      ]),
      status: { loadBalancer: {} },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'coredns', namespace: 'kube-system', labels },
      spec: {
        ...deploymentDefaults,
        replicas: 2,
        selector: { matchLabels: labels },
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 }, type: 'RollingUpdate' },
        template: {
          metadata: { labels },
          spec: {
            ...podDefaults,
            containers: [
              {
                ...containerDefaults,
                args: ['-conf', '/etc/coredns/Corefile'],
                image: 'registry.k8s.io/coredns/coredns:v1.12.1',
                name: 'coredns',
                ports: [
                  { containerPort: 53, name: 'dns', protocol: 'UDP' },
                  { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
                  { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
                ],
                readinessProbe: {
                  failureThreshold: 3,
                  httpGet: { path: '/ready', port: 8181, scheme: 'HTTP' },
                  periodSeconds: 10,
                  successThreshold: 1,
                  timeoutSeconds: 1,
                },
                volumeMounts: [{ mountPath: '/etc/coredns', name: 'config-volume', readOnly: true }],
              },
            ],
            dnsPolicy: 'Default',
            nodeSelector: { 'kubernetes.io/os': 'linux' },
            priorityClassName: 'system-cluster-critical',
            serviceAccount: 'coredns',
            serviceAccountName: 'coredns',
            terminationGracePeriodSeconds: 30,
            tolerations: [
              { key: 'CriticalAddonsOnly', operator: 'Exists' },
              { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' },
            ],
            volumes: [
              {
                configMap: { defaultMode: 420, items: [{ key: 'Corefile', path: 'Corefile' }], name: 'coredns' },
                name: 'config-volume',
              },
            ],
          },
        },
      },
    },
  ];
}

export function service(
  clusterIP: string,
  selector: Record<string, string> | null,
  ports: unknown[],
  type = 'ClusterIP',
) {
  return {
    clusterIP,
    clusterIPs: [clusterIP],
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports,
    ...(selector ? { selector } : {}),
    sessionAffinity: 'None',
    type,
  };
}

function kubernetesService({ apiServerPort = 6443 }: ClusterShape): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { component: 'apiserver', provider: 'kubernetes' },
    },
    spec: service(kubernetesServiceIP, null, [
      { name: 'https', port: 443, protocol: 'TCP', targetPort: apiServerPort },
    ]),
    status: { loadBalancer: {} },
  };
}

function kubernetesSlice(shape: ClusterShape): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: 'kubernetes',
      namespace: 'default',
      labels: { 'kubernetes.io/service-name': 'kubernetes' },
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: [...controlPlaneAddresses(shape)], conditions: { ready: true } }],
    ports: [{ name: 'https', port: shape.apiServerPort ?? 6443, protocol: 'TCP' }],
  };
}
