import type { V1DaemonSet } from '@kubernetes/client-node';
import { wantsBpf } from '#lib/installation/index.ts';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { healthPortFor } from '../felix.ts';
import { cniConfigHash } from './cni-config.ts';
import { goldmaneHost, goldmaneServer } from './flow-logs.ts';
import { image } from './image.ts';
import {
  caBundleMounts,
  caBundleVolume,
  containerDefaults,
  type EnvVar,
  endpointEnv,
  env,
  inCalicoSystem,
  podDefaults,
  privileged,
  type RenderPlan,
  tolerateEverything,
} from './plan.ts';

/**
 * DaemonSet calico-node as recorded (install-enable-rollback-3.31.4.jsonl, t=7.17; upgrade…, t=6.79 and 69.39; calico.md §3.4). Only its bootstrap
 * container depends on the data plane; the switch itself is FelixConfiguration.
 */
export function calicoNode(plan: RenderPlan): ObjectToWrite<V1DaemonSet> {
  const { spec } = plan;
  const labels = { 'k8s-app': names.nodeDaemonSet };
  const dnsConfig = plan.dns.dnsConfig ?? null;
  const rolling = spec.nodeUpdateStrategy?.rollingUpdate;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: inCalicoSystem(plan, names.nodeDaemonSet),
    spec: {
      revisionHistoryLimit: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: {
          annotations: { 'hash.operator.tigera.io/cni-config': cniConfigHash(plan) },
          labels: { 'app.kubernetes.io/name': names.nodeDaemonSet, ...labels },
        },
        spec: {
          ...podDefaults,
          containers: [nodeContainer(plan)],
          dnsPolicy: plan.dns.dnsPolicy,
          ...(dnsConfig === null ? {} : { dnsConfig }),
          ...(plan.flowLogs ? { hostAliases: [{ hostnames: [goldmaneHost], ip: plan.flowLogs.address }] } : {}),
          hostNetwork: true,
          initContainers: [...flexVolume(plan), bootstrap(plan), installCni(plan)],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          priorityClassName: 'system-node-critical',
          serviceAccount: names.nodeDaemonSet,
          serviceAccountName: names.nodeDaemonSet,
          terminationGracePeriodSeconds: 5,
          tolerations: tolerateEverything,
          volumes: volumes(plan),
          ...pullSecrets(plan),
        },
      },
      updateStrategy: {
        rollingUpdate: { maxSurge: rolling?.maxSurge ?? 0, maxUnavailable: rolling?.maxUnavailable ?? 1 },
        type: 'RollingUpdate',
      },
    },
  };
}

function pullSecrets(plan: RenderPlan) {
  const secrets = (plan.spec.imagePullSecrets ?? []).flatMap(({ name }) => (name === undefined ? [] : [{ name }]));
  return secrets.length > 0 ? { imagePullSecrets: secrets } : {};
}

function nodeContainer(plan: RenderPlan) {
  const { spec, release } = plan;
  const bird = spec.calicoNetwork?.bgp === 'Enabled';
  const ready = bird ? ['-bird-ready', '-felix-ready'] : ['-felix-ready'];
  return {
    ...containerDefaults,
    env: nodeEnv(plan, bird),
    image: image(spec, 'node', release.calicoVersion),
    lifecycle: { preStop: { exec: { command: ['/bin/calico-node', '-shutdown'] } } },
    livenessProbe: {
      failureThreshold: 3,
      httpGet: { host: 'localhost', path: '/liveness', port: healthPortFor(spec), scheme: 'HTTP' },
      periodSeconds: 60,
      successThreshold: 1,
      timeoutSeconds: 10,
    },
    name: names.nodeContainer,
    readinessProbe: {
      exec: { command: ['/bin/calico-node', ...ready] },
      failureThreshold: 3,
      periodSeconds: 30,
      successThreshold: 1,
      timeoutSeconds: 10,
    },
    securityContext: privileged,
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

/** CLUSTER_TYPE by provider (calico.md §3.1). */
const clusterTypes: Record<string, string> = { OpenShift: 'openshift', EKS: 'ecs', GKE: 'gke', AKS: 'aks' };

function nodeEnv(plan: RenderPlan, bird: boolean): EnvVar[] {
  const { spec } = plan;
  const provider = clusterTypes[spec.kubernetesProvider ?? ''];
  const clusterType = ['k8s', 'operator', ...(provider ? [provider] : []), ...(bird ? ['bgp'] : [])].join(',');
  const v4 = spec.calicoNetwork?.nodeAddressAutodetectionV4;
  const v6 = spec.calicoNetwork?.nodeAddressAutodetectionV6;
  return [
    env('DATASTORE_TYPE', 'kubernetes'),
    env('WAIT_FOR_DATASTORE', 'true'),
    env('CLUSTER_TYPE', clusterType),
    env('CALICO_DISABLE_FILE_LOGGING', 'false'),
    env('FELIX_DEFAULTENDPOINTTOHOSTACTION', 'ACCEPT'),
    env('FELIX_HEALTHENABLED', 'true'),
    env('FELIX_HEALTHPORT', String(healthPortFor(spec))),
    { name: 'NODENAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'spec.nodeName' } } },
    { name: 'NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
    env('FELIX_TYPHAK8SNAMESPACE', names.calicoNamespace),
    env('FELIX_TYPHAK8SSERVICENAME', names.typhaDeployment),
    env('FELIX_TYPHACAFILE', '/etc/pki/tls/certs/tigera-ca-bundle.crt'),
    env('FELIX_TYPHACERTFILE', '/node-certs/tls.crt'),
    env('FELIX_TYPHAKEYFILE', '/node-certs/tls.key'),
    env('NO_DEFAULT_POOLS', 'true'),
    env('FELIX_TYPHACN', 'typha-server'),
    env('CALICO_MANAGE_CNI', String(spec.cni?.type === 'Calico')),
    env('CALICO_NETWORKING_BACKEND', bird ? 'bird' : spec.cni?.type === 'Calico' ? 'vxlan' : 'none'),
    ...(v4 ? [env('IP', 'autodetect'), env('IP_AUTODETECTION_METHOD', method(v4))] : [env('IP', 'none')]),
    ...(v6
      ? [env('IP6', 'autodetect'), env('IP6_AUTODETECTION_METHOD', method(v6)), env('FELIX_IPV6SUPPORT', 'true')]
      : [env('IP6', 'none'), env('FELIX_IPV6SUPPORT', 'false')]),
    ...endpointEnv(plan.endpoint),
    ...(plan.flowLogs ? [env(names.flowLogsServerEnv, goldmaneServer), env('FELIX_FLOWLOGSFLUSHINTERVAL', '15')] : []),
  ];
}

type Autodetection = NonNullable<NonNullable<RenderPlan['spec']['calicoNetwork']>['nodeAddressAutodetectionV4']>;

function method(how: Autodetection): string {
  if (how.kubernetes) return 'kubernetes-internal-ip';
  if (how.interface) return `interface=${how.interface}`;
  if (how.skipInterface) return `skip-interface=${how.skipInterface}`;
  if (how.canReach) return `can-reach=${how.canReach}`;
  if (how.cidrs?.length) return `cidr=${how.cidrs.join(',')}`;
  return 'first-found';
}

function flexVolume(plan: RenderPlan) {
  if (plan.spec.flexVolumePath === 'None') return [];
  return [
    {
      ...containerDefaults,
      image: image(plan.spec, 'pod2daemon-flexvol', plan.release.calicoVersion),
      name: 'flexvol-driver',
      securityContext: privileged,
      volumeMounts: [{ mountPath: '/host/driver', name: 'flexvol-driver-host' }],
    },
  ];
}

/** The bootstrap container. BPF removes `-best-effort`; bpfNetworkBootstrap adds the API servers' addresses (calico.md §3.3; automatic…, t=49.33). */
function bootstrap(plan: RenderPlan) {
  const bestEffort = plan.release.bootstrapContainer === 'ebpf-bootstrap' && !wantsBpf(plan.spec);
  const variables = [
    ...(plan.bootstrap
      ? [
          env('KUBERNETES_SERVICE_IPS_PORTS', plan.bootstrap.serviceAddresses.join(',')),
          env('KUBERNETES_APISERVER_ENDPOINTS', plan.bootstrap.apiServers.join(',')),
        ]
      : []),
    ...(plan.cgroupV2Path ? [env('CALICO_CGROUP_PATH', plan.cgroupV2Path)] : []),
  ];
  return {
    ...containerDefaults,
    command: bestEffort ? ['calico-node', '-init', '-best-effort'] : ['calico-node', '-init'],
    ...(variables.length > 0 ? { env: variables } : {}),
    image: image(plan.spec, 'node', plan.release.calicoVersion),
    name: plan.release.bootstrapContainer,
    securityContext: privileged,
    volumeMounts: [
      { mountPath: '/sys/fs', mountPropagation: 'Bidirectional', name: 'sys-fs' },
      { mountPath: '/var/run/calico', mountPropagation: 'Bidirectional', name: 'var-run-calico' },
      { mountPath: '/nodeproc', name: 'nodeproc', readOnly: true },
    ],
  };
}

function installCni(plan: RenderPlan) {
  return {
    ...containerDefaults,
    command: ['/opt/cni/bin/install'],
    env: [
      env('CNI_CONF_NAME', '10-calico.conflist'),
      env('SLEEP', 'false'),
      env('CNI_NET_DIR', confDir(plan)),
      { name: 'CNI_NETWORK_CONFIG', valueFrom: { configMapKeyRef: { key: 'config', name: 'cni-config' } } },
      ...endpointEnv(plan.endpoint),
    ],
    image: image(plan.spec, 'cni', plan.release.calicoVersion),
    name: 'install-cni',
    securityContext: privileged,
    volumeMounts: [
      { mountPath: '/host/opt/cni/bin', name: 'cni-bin-dir' },
      { mountPath: '/host/etc/cni/net.d', name: 'cni-net-dir' },
    ],
  };
}

const confDir = (plan: RenderPlan) => plan.spec.cni?.confDir ?? '/etc/cni/net.d';

function hostPath(name: string, path: string, type: string) {
  return { hostPath: { path, type }, name };
}

function volumes(plan: RenderPlan) {
  const flex = plan.spec.flexVolumePath ?? 'None';
  return [
    hostPath('bpffs', '/sys/fs/bpf', 'Directory'),
    hostPath('cni-bin-dir', plan.spec.cni?.binDir ?? '/opt/cni/bin', 'DirectoryOrCreate'),
    hostPath('cni-log-dir', '/var/log/calico/cni', ''),
    hostPath('cni-net-dir', confDir(plan), ''),
    // The operator adds no separator, so that a value must end in `/` (calico.md §13.14).
    ...(flex === 'None' ? [] : [hostPath('flexvol-driver-host', `${flex}nodeagent~uds`, 'DirectoryOrCreate')]),
    hostPath('lib-modules', '/lib/modules', ''),
    { name: 'node-certs', secret: { defaultMode: 420, secretName: 'node-certs' } },
    hostPath('nodeproc', '/proc', ''),
    hostPath('policysync', '/var/run/nodeagent', 'DirectoryOrCreate'),
    hostPath('sys-fs', '/sys/fs', 'DirectoryOrCreate'),
    caBundleVolume,
    hostPath('var-lib-calico', '/var/lib/calico', 'DirectoryOrCreate'),
    hostPath('var-run-calico', '/var/run/calico', 'DirectoryOrCreate'),
    hostPath('xtables-lock', '/run/xtables.lock', 'FileOrCreate'),
  ];
}
