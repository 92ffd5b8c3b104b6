import type { KubeObject } from '#lib/kube/index.ts';
import { containerDefaults, deploymentDefaults, podDefaults } from '#lib/operator/index.ts';
import { namespace, service } from './kubeadm.ts';

/** Workloads behind Services of each type, which a switch must not interrupt. */
export function applications(): KubeObject[] {
  return [
    namespace('shop'),
    ...application('shop', 'catalogue', 3, '10.100.10.10', 'ClusterIP'),
    ...application('shop', 'checkout', 2, '10.100.10.20', 'NodePort', 30080),
  ];
}

function application(
  inNamespace: string,
  name: string,
  replicas: number,
  clusterIP: string,
  type: string,
  nodePort?: number,
): KubeObject[] {
  const labels = { app: name };
  const port = { name: 'http', port: 80, protocol: 'TCP', targetPort: 8080, ...(nodePort ? { nodePort } : {}) };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: inNamespace, labels },
      spec: { ...service(clusterIP, labels, [port], type), ...(nodePort ? { externalTrafficPolicy: 'Cluster' } : {}) },
      status: { loadBalancer: {} },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: inNamespace, labels },
      spec: {
        ...deploymentDefaults,
        replicas,
        selector: { matchLabels: labels },
        strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' }, type: 'RollingUpdate' },
        template: {
          metadata: { labels },
          spec: {
            ...podDefaults,
            containers: [
              {
                ...containerDefaults,
                image: `images.sandbox.example/${name}:1.0`,
                name,
                ports: [{ containerPort: 8080, name: 'http', protocol: 'TCP' }],
              },
            ],
            dnsPolicy: 'ClusterFirst',
            terminationGracePeriodSeconds: 30,
          },
        },
      },
    },
  ];
}
