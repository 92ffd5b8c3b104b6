import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { ClusterShape } from './cluster-shape.ts';
import { cniConfigHash } from './cni-config.ts';
import {
  caBundle,
  caBundleMounts,
  containerDefaults,
  endpointEnv,
  envOf,
  everywhere,
  fromField,
  hostPath,
  image,
  inCalicoSystem,
  podDefaults,
  probe,
  securityContext,
} from './workload-parts.ts';

/** DaemonSet calico-node. Between the data planes only the bootstrap container differs (calico.md §3.4). */
export function calicoNode(shape: ClusterShape): KubeObject {
  const labels = { 'k8s-app': names.nodeDaemonSet };
  const bootstrap = shape.dataplane === 'BPF' ? ['calico-node', '-init'] : ['calico-node', '-init', '-best-effort'];
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: inCalicoSystem(names.nodeDaemonSet),
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
