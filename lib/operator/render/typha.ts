import type { V1Deployment, V1Service } from '@kubernetes/client-node';
import type { ObjectToWrite } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { image } from './image.ts';
import {
  caBundleMounts,
  caBundleVolume,
  containerDefaults,
  endpointEnv,
  env,
  inCalicoSystem,
  podDefaults,
  type RenderPlan,
  tolerateEverything,
  unprivileged,
} from './plan.ts';

/** Typha's replicas: 1 up to 2 nodes, 2 up to 4, then at least 3 and one more for each 200, at most 20 (calico.md §3.4). */
export function typhaReplicas(linuxNodes: number): number {
  if (linuxNodes <= 2) return 1;
  if (linuxNodes <= 4) return 2;
  return Math.min(20, Math.max(3, Math.floor(linuxNodes / 200) + 2));
}

/** Deployment calico-typha as recorded (install-enable-rollback-3.31.4.jsonl, t=7.2). */
export function typha(plan: RenderPlan): ObjectToWrite<V1Deployment> {
  const labels = { 'k8s-app': names.typhaDeployment };
  const probe = (path: string, periodSeconds: number) => ({
    failureThreshold: 3,
    httpGet: { host: 'localhost', path, port: 9098, scheme: 'HTTP' },
    periodSeconds,
    successThreshold: 1,
    timeoutSeconds: 10,
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: inCalicoSystem(plan, names.typhaDeployment, {
      'app.kubernetes.io/name': names.typhaDeployment,
      ...labels,
    }),
    spec: {
      progressDeadlineSeconds: 600,
      replicas: typhaReplicas(plan.linuxNodes),
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
                    topologyKey: names.zoneLabel,
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
                env('TYPHA_LOGSEVERITYSCREEN', 'info'),
                env('TYPHA_LOGFILEPATH', 'none'),
                env('TYPHA_LOGSEVERITYSYS', 'none'),
                env('TYPHA_CONNECTIONREBALANCINGMODE', 'kubernetes'),
                env('TYPHA_DATASTORETYPE', 'kubernetes'),
                env('TYPHA_HEALTHENABLED', 'true'),
                env('TYPHA_HEALTHPORT', '9098'),
                env('TYPHA_K8SNAMESPACE', names.calicoNamespace),
                env('TYPHA_CAFILE', '/etc/pki/tls/certs/tigera-ca-bundle.crt'),
                env('TYPHA_SERVERCERTFILE', '/typha-certs/tls.crt'),
                env('TYPHA_SERVERKEYFILE', '/typha-certs/tls.key'),
                env('TYPHA_SHUTDOWNTIMEOUTSECS', '300'),
                env('TYPHA_CLIENTCN', 'typha-client'),
                ...endpointEnv(plan.endpoint),
              ],
              image: image(plan.spec, 'typha', plan.release.calicoVersion),
              livenessProbe: probe('/liveness', 60),
              name: names.typhaDeployment,
              ports: [{ containerPort: 5473, name: names.typhaDeployment, protocol: 'TCP' }],
              readinessProbe: probe('/readiness', 30),
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
          tolerations: tolerateEverything,
          volumes: [caBundleVolume, { name: 'typha-certs', secret: { defaultMode: 420, secretName: 'typha-certs' } }],
        },
      },
    },
  };
}

export function typhaService(plan: RenderPlan): ObjectToWrite<V1Service> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: inCalicoSystem(plan, names.typhaDeployment, { 'k8s-app': names.typhaDeployment }),
    spec: {
      ports: [{ name: names.typhaDeployment, port: 5473, protocol: 'TCP', targetPort: names.typhaDeployment }],
      selector: { 'k8s-app': names.typhaDeployment },
    },
  };
}
