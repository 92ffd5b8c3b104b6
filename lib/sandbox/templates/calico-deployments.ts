import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { operatorVersion } from './calico-resources.ts';
import type { ClusterShape } from './cluster-shape.ts';
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
  ownerReference,
  podDefaults,
  probe,
  unprivileged,
} from './workload-parts.ts';

function deployment(name: string, namespace: string, labels: Record<string, string>, spec: object): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace, labels }, spec: { ...spec } };
}

export function typha(shape: ClusterShape): KubeObject {
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

export function kubeControllers(shape: ClusterShape): KubeObject {
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

export function operator(): KubeObject {
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
