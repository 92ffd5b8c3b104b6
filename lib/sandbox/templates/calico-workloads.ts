import { createHash } from 'node:crypto';
import type { KubeObject, OwnerReference } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { uidOf } from '../builders.ts';
import { calicoVersion, operatorVersion } from './calico-resources.ts';
import { type ClusterShape, injectedEndpoint } from './cluster-shape.ts';
import { service } from './kubeadm.ts';

/** The operator and what it makes: names, environment, probes and tolerations as recorded of v3.31.4 (calico.md §3.4). */
export function calicoWorkloads(shape: ClusterShape): KubeObject[] {
  return [
    ...[names.operatorNamespace, names.calicoNamespace].map(privilegedNamespace),
    operator(),
    ...endpointConfigMap(shape),
    activeOperator(),
    ...[names.nodeDaemonSet, names.typhaDeployment, names.kubeControllersDeployment].map(serviceAccount),
    cniConfigMap(shape),
    typhaService(),
    calicoNode(shape),
    typha(shape),
    kubeControllers(shape),
  ];
}

function privilegedNamespace(name: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        'kubernetes.io/metadata.name': name,
        name,
        'pod-security.kubernetes.io/enforce': 'privileged',
        ...(name === names.calicoNamespace ? { 'pod-security.kubernetes.io/enforce-version': 'latest' } : {}),
      },
      ...(name === names.calicoNamespace ? { ownerReferences: [ownerReference()] } : {}),
    },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

function ownerReference(): OwnerReference {
  return {
    apiVersion: 'operator.tigera.io/v1',
    blockOwnerDeletion: true,
    controller: true,
    kind: 'Installation',
    name: names.installation,
    uid: uidOf('Installation', '', names.installation),
  };
}

function endpointConfigMap({ endpoint }: ClusterShape): KubeObject[] {
  if (!endpoint) return [];
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: names.endpointConfigMap, namespace: names.operatorNamespace },
      data: { [names.endpointHostKey]: endpoint.host, [names.endpointPortKey]: endpoint.port },
    },
  ];
}

/** The operator that works in sandboxes is ours, and says so. */
function activeOperator(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: names.activeOperatorConfigMap,
      namespace: names.calicoNamespace,
      annotations: { [names.operatorOwnerAnnotation]: 'signalbox' },
    },
    data: { [names.activeNamespaceKey]: names.operatorNamespace },
  };
}

function inCalicoSystem(name: string): KubeObject['metadata'] {
  return { name, namespace: names.calicoNamespace, ownerReferences: [ownerReference()] };
}

function serviceAccount(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inCalicoSystem(name) };
}

/** What install-cni writes on each node. The API endpoint is in it, so that its hash changes with the endpoint. */
function cniConfig({ endpoint }: ClusterShape): string {
  const { host, port } = endpoint ?? injectedEndpoint;
  const calico = {
    type: 'calico',
    datastore_type: 'kubernetes',
    mtu: 0,
    nodename_file_optional: false,
    log_level: 'Info',
    log_file_path: '/var/log/calico/cni/cni.log',
    ipam: { type: 'calico-ipam' },
    container_settings: { allow_ip_forwarding: false },
    policy: { type: 'k8s' },
    kubernetes: { kubeconfig: '__KUBECONFIG_FILEPATH__', k8s_api_root: `https://${host}:${port}` },
  };
  const portmap = { type: 'portmap', snat: true, capabilities: { portMappings: true } };
  return JSON.stringify({ name: 'k8s-pod-network', cniVersion: '0.3.1', plugins: [calico, portmap] });
}

function cniConfigHash(shape: ClusterShape): string {
  return createHash('sha1').update(cniConfig(shape)).digest('hex');
}

function cniConfigMap(shape: ClusterShape): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: inCalicoSystem('cni-config'),
    data: { config: cniConfig(shape) },
  };
}

function typhaService(): KubeObject {
  const labels = { 'k8s-app': names.typhaDeployment };
  const port = { name: names.typhaDeployment, port: 5473, protocol: 'TCP', targetPort: names.typhaDeployment };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...inCalicoSystem(names.typhaDeployment), labels },
    spec: service('10.100.0.54', labels, [port]),
    status: { loadBalancer: {} },
  };
}

const containerDefaults = {
  imagePullPolicy: 'IfNotPresent',
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};
const podDefaults = { restartPolicy: 'Always', schedulerName: 'default-scheduler', securityContext: {} };
const everywhere = [
  { key: 'CriticalAddonsOnly', operator: 'Exists' },
  { effect: 'NoSchedule', operator: 'Exists' },
  { effect: 'NoExecute', operator: 'Exists' },
];
const securityContext = {
  allowPrivilegeEscalation: true,
  capabilities: { drop: ['ALL'] },
  privileged: true,
  runAsGroup: 0,
  runAsNonRoot: false,
  runAsUser: 0,
  seccompProfile: { type: 'RuntimeDefault' },
};
const unprivileged = (user: number, group: number) => ({
  ...securityContext,
  allowPrivilegeEscalation: false,
  privileged: false,
  runAsGroup: group,
  runAsNonRoot: true,
  runAsUser: user,
});

type Env = { name: string; value?: string; valueFrom?: unknown };

function envOf(values: Record<string, string>): Env[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function fromField(name: string, fieldPath: string): Env {
  return { name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } };
}

/** Without the ConfigMap the operator passes on what the kubelet injected into itself: the Service's ClusterIP (calico.md §3.2). */
function endpointEnv({ endpoint }: ClusterShape): Env[] {
  const { host, port } = endpoint ?? injectedEndpoint;
  return envOf({ [names.endpointHostKey]: host, [names.endpointPortKey]: port });
}

const hostPath = (name: string, path: string, type = '') => ({ hostPath: { path, type }, name });
const caBundle = { configMap: { defaultMode: 420, name: 'tigera-ca-bundle' }, name: 'tigera-ca-bundle' };
const caBundleMounts = [
  { mountPath: '/etc/pki/tls/certs', name: 'tigera-ca-bundle', readOnly: true },
  { mountPath: '/etc/pki/tls/cert.pem', name: 'tigera-ca-bundle', readOnly: true, subPath: 'ca-bundle.crt' },
];
const probe = (periodSeconds: number, timeoutSeconds: number, failureThreshold: number, act: object) => ({
  failureThreshold,
  ...act,
  periodSeconds,
  successThreshold: 1,
  timeoutSeconds,
});
const image = (name: string): string => `quay.io/calico/${name}:${calicoVersion}`;

function calicoNode(shape: ClusterShape): KubeObject {
  const labels = { 'k8s-app': names.nodeDaemonSet };
  const bootstrap = shape.dataplane === 'BPF' ? ['calico-node', '-init'] : ['calico-node', '-init', '-best-effort'];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: {
      name: names.nodeDaemonSet,
      namespace: names.calicoNamespace,
      ownerReferences: [ownerReference()],
    },
    spec: {
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: {
          annotations: { 'hash.operator.tigera.io/cni-config': cniConfigHash(shape) },
          labels: { 'app.kubernetes.io/name': names.nodeDaemonSet, ...labels },
        },
        spec: {
          ...podDefaults,
          containers: [nodeContainer(shape)],
          dnsPolicy: 'ClusterFirstWithHostNet',
          hostNetwork: true,
          initContainers: [
            {
              ...containerDefaults,
              image: image('pod2daemon-flexvol'),
              name: 'flexvol-driver',
              securityContext,
              volumeMounts: [{ mountPath: '/host/driver', name: 'flexvol-driver-host' }],
            },
            {
              ...containerDefaults,
              command: bootstrap,
              image: image('node'),
              name: 'ebpf-bootstrap',
              securityContext,
              volumeMounts: [
                { mountPath: '/sys/fs', mountPropagation: 'Bidirectional', name: 'sys-fs' },
                { mountPath: '/var/run/calico', mountPropagation: 'Bidirectional', name: 'var-run-calico' },
                { mountPath: '/nodeproc', name: 'nodeproc', readOnly: true },
              ],
            },
            {
              ...containerDefaults,
              command: ['/opt/cni/bin/install'],
              env: [
                ...envOf({ CNI_CONF_NAME: '10-calico.conflist', SLEEP: 'false', CNI_NET_DIR: '/etc/cni/net.d' }),
                {
                  name: 'CNI_NETWORK_CONFIG',
                  valueFrom: { configMapKeyRef: { key: 'config', name: 'cni-config' } },
                },
                ...endpointEnv(shape),
              ],
              image: image('cni'),
              name: 'install-cni',
              securityContext,
              volumeMounts: [
                { mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' },
                { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
              ],
            },
          ],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-node-critical',
          serviceAccount: names.nodeDaemonSet,
          serviceAccountName: names.nodeDaemonSet,
          terminationGracePeriodSeconds: 5,
          tolerations: everywhere,
          volumes: [
            hostPath('bpffs', '/sys/fs/bpf', 'Directory'),
            hostPath('cni-bin-dir', '/opt/cni/bin', 'DirectoryOrCreate'),
            hostPath('cni-log-dir', '/var/log/calico/cni'),
            hostPath('cni-net-dir', '/etc/cni/net.d'),
            hostPath(
              'flexvol-driver-host',
              '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/nodeagent~uds',
              'DirectoryOrCreate',
            ),
            hostPath('lib-modules', '/lib/modules'),
            { name: 'node-certs', secret: { defaultMode: 420, secretName: 'node-certs' } },
            hostPath('nodeproc', '/proc'),
            hostPath('policysync', '/var/run/nodeagent', 'DirectoryOrCreate'),
            hostPath('sys-fs', '/sys/fs', 'DirectoryOrCreate'),
            caBundle,
            hostPath('var-lib-calico', '/var/lib/calico', 'DirectoryOrCreate'),
            hostPath('var-run-calico', '/var/run/calico', 'DirectoryOrCreate'),
            hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
          ],
        },
      },
      updateStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }, type: 'RollingUpdate' },
    },
  };
}

function nodeContainer(shape: ClusterShape) {
  return {
    ...containerDefaults,
    env: [
      ...envOf({
        DATASTORE_TYPE: 'kubernetes',
        WAIT_FOR_DATASTORE: 'true',
        CLUSTER_TYPE: 'k8s,operator,bgp',
        CALICO_DISABLE_FILE_LOGGING: 'false',
        FELIX_DEFAULTENDPOINTTOHOSTACTION: 'ACCEPT',
        FELIX_HEALTHENABLED: 'true',
        FELIX_HEALTHPORT: '9099',
      }),
      fromField('NODENAME', 'spec.nodeName'),
      fromField('NAMESPACE', 'metadata.namespace'),
      ...envOf({
        FELIX_TYPHAK8SNAMESPACE: names.calicoNamespace,
        FELIX_TYPHAK8SSERVICENAME: names.typhaDeployment,
        FELIX_TYPHACAFILE: '/etc/pki/tls/certs/tigera-ca-bundle.crt',
        FELIX_TYPHACERTFILE: '/node-certs/tls.crt',
        FELIX_TYPHAKEYFILE: '/node-certs/tls.key',
        NO_DEFAULT_POOLS: 'true',
        FELIX_TYPHACN: 'typha-server',
        CALICO_MANAGE_CNI: 'true',
      }),
      ...envOf({
        CALICO_NETWORKING_BACKEND: 'bird',
        IP: 'autodetect',
        IP_AUTODETECTION_METHOD: 'first-found',
        IP6: 'none',
        FELIX_IPV6SUPPORT: 'false',
      }),
      ...endpointEnv(shape),
    ],
    image: image('node'),
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    livenessProbe: probe(60, 10, 3, {
      httpGet: { host: 'localhost', path: '/liveness', port: 9099, scheme: 'HTTP' },
    }),
    name: names.nodeContainer,
    readinessProbe: probe(30, 10, 3, { exec: { command: ['/bin/calico-node', '-bird-ready', '-felix-ready'] } }),
    securityContext,
    volumeMounts: [
      { mountPath: '/sys/fs/bpf', name: 'bpffs' },
      { mountPath: '/var/log/calico/cni', name: 'cni-log-dir' },
      { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
      { mountPath: '/lib/modules', name: 'lib-modules', readOnly: true },
      { mountPath: '/node-certs', name: 'node-certs', readOnly: true },
      { mountPath: '/var/run/nodeagent', name: 'policysync' },
      ...caBundleMounts,
      { mountPath: '/var/lib/calico', name: 'var-lib-calico' },
      { mountPath: '/var/run/calico', name: 'var-run-calico' },
      { mountPath: '/run/xtables.lock', name: 'xtables-lock' },
    ],
  };
}

function deployment(name: string, namespace: string, labels: Record<string, string>, spec: object): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, labels }, spec: { ...spec } };
}

function typha(shape: ClusterShape): KubeObject {
  const labels = { 'k8s-app': names.typhaDeployment };
  const object = deployment(
    names.typhaDeployment,
    names.calicoNamespace,
    { 'app.kubernetes.io/name': names.typhaDeployment, ...labels },
    {
      progressDeadlineSeconds: 600,
      replicas: 3,
      revisionHistoryLimit: 2,
      selector: { matchLabels: labels },
      strategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: 1 }, type: 'RollingUpdate' },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': names.typhaDeployment, ...labels } },
        spec: {
          ...podDefaults,
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                {
                  podAffinityTerm: {
                    labelSelector: {
                      matchExpressions: [{ key: 'k8s-app', operator: 'In', values: [names.typhaDeployment] }],
                    },
                    topologyKey: 'topology.kubernetes.io/zone',
                  },
                  weight: 1,
                },
              ],
            },
          },
          containers: [
            {
              ...containerDefaults,
              env: [
                ...envOf({
                  TYPHA_LOGSEVERITYSCREEN: 'info',
                  TYPHA_LOGFILEPATH: 'none',
                  TYPHA_LOGSEVERITYSYS: 'none',
                  TYPHA_CONNECTIONREBALANCINGMODE: 'kubernetes',
                  TYPHA_DATASTORETYPE: 'kubernetes',
                  TYPHA_HEALTHENABLED: 'true',
                  TYPHA_HEALTHPORT: '9098',
                  TYPHA_K8SNAMESPACE: names.calicoNamespace,
                  TYPHA_CAFILE: '/etc/pki/tls/certs/tigera-ca-bundle.crt',
                  TYPHA_SERVERCERTFILE: '/typha-certs/tls.crt',
                  TYPHA_SERVERKEYFILE: '/typha-certs/tls.key',
                  TYPHA_SHUTDOWNTIMEOUTSECS: '300',
                  TYPHA_CLIENTCN: 'typha-client',
                }),
                ...endpointEnv(shape),
              ],
              image: image('typha'),
              livenessProbe: probe(60, 10, 3, {
                httpGet: { host: 'localhost', path: '/liveness', port: 9098, scheme: 'HTTP' },
              }),
              name: names.typhaDeployment,
              ports: [{ containerPort: 5473, name: names.typhaDeployment, protocol: 'TCP' }],
              readinessProbe: probe(30, 10, 3, {
                httpGet: { host: 'localhost', path: '/readiness', port: 9098, scheme: 'HTTP' },
              }),
              securityContext: unprivileged(10001, 10001),
              volumeMounts: [...caBundleMounts, { mountPath: '/typha-certs', name: 'typha-certs', readOnly: true }],
            },
          ],
          dnsPolicy: 'ClusterFirst',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-cluster-critical',
          serviceAccount: names.typhaDeployment,
          serviceAccountName: names.typhaDeployment,
          terminationGracePeriodSeconds: 300,
          tolerations: everywhere,
          volumes: [caBundle, { name: 'typha-certs', secret: { defaultMode: 420, secretName: 'typha-certs' } }],
        },
      },
    },
  );
  object.metadata.ownerReferences = [ownerReference()];
  return object;
}

function kubeControllers(shape: ClusterShape): KubeObject {
  const name = names.kubeControllersDeployment;
  const labels = { 'k8s-app': name };
  const check = (flag: string) => ({ exec: { command: ['/usr/bin/check-status', flag] } });
  const object = deployment(
    name,
    names.calicoNamespace,
    { 'app.kubernetes.io/name': name, ...labels },
    {
      progressDeadlineSeconds: 600,
      replicas: 1,
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': name, ...labels } },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              env: [
                ...envOf({
                  KUBE_CONTROLLERS_CONFIG_NAME: 'default',
                  DATASTORE_TYPE: 'kubernetes',
                  ENABLED_CONTROLLERS: 'node,loadbalancer',
                  DISABLE_KUBE_CONTROLLERS_CONFIG_API: 'false',
                }),
                ...endpointEnv(shape),
                ...envOf({ CA_CRT_PATH: '/etc/pki/tls/certs/tigera-ca-bundle.crt' }),
              ],
              image: image('kube-controllers'),
              livenessProbe: { ...probe(60, 10, 6, check('-l')), initialDelaySeconds: 10 },
              name,
              readinessProbe: probe(30, 10, 3, check('-r')),
              securityContext: unprivileged(999, 0),
              volumeMounts: caBundleMounts,
            },
          ],
          dnsPolicy: 'ClusterFirst',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-cluster-critical',
          serviceAccount: name,
          serviceAccountName: name,
          terminationGracePeriodSeconds: 30,
          tolerations: [
            { effect: 'NoSchedule', key: 'node-role.kubernetes.io/master' },
            { effect: 'NoSchedule', key: 'node-role.kubernetes.io/control-plane' },
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
          ],
          volumes: [caBundle],
        },
      },
    },
  );
  object.metadata.ownerReferences = [ownerReference()];
  return object;
}

function operator(): KubeObject {
  const name = names.operatorDeployment;
  return deployment(
    name,
    names.operatorNamespace,
    { 'k8s-app': name },
    {
      progressDeadlineSeconds: 600,
      replicas: 1,
      revisionHistoryLimit: 10,
      selector: { matchLabels: { name } },
      strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
      template: {
        metadata: { labels: { 'k8s-app': name, name } },
        spec: {
          ...podDefaults,
          containers: [
            {
              ...containerDefaults,
              args: ['-manage-crds=true'],
              command: ['operator'],
              env: [
                { name: 'WATCH_NAMESPACE' },
                fromField('POD_NAME', 'metadata.name'),
                ...envOf({ OPERATOR_NAME: name, TIGERA_OPERATOR_INIT_IMAGE_VERSION: operatorVersion }),
              ],
              envFrom: [{ configMapRef: { name: names.endpointConfigMap, optional: true } }],
              image: `quay.io/tigera/operator:${operatorVersion}`,
              name,
              volumeMounts: [{ mountPath: '/var/lib/calico', name: 'var-lib-calico', readOnly: true }],
            },
          ],
          dnsPolicy: 'ClusterFirstWithHostNet',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          serviceAccount: name,
          serviceAccountName: name,
          terminationGracePeriodSeconds: 60,
          tolerations: [
            { effect: 'NoExecute', operator: 'Exists' },
            { effect: 'NoSchedule', operator: 'Exists' },
          ],
          volumes: [hostPath('var-lib-calico', '/var/lib/calico')],
        },
      },
    },
  );
}
