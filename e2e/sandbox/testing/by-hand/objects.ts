import { valueAt } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { templates } from '#lib/sandbox/index.ts';
import { apiVersionOf, resources } from '#lib/spec/index.ts';
import { adding, all, changing, object, withSpec } from './changes.ts';

const daemonSet = (namespace: string, name: string, container: Record<string, unknown>): KubeObject =>
  object(
    'apps/v1',
    'DaemonSet',
    name,
    {
      spec: {
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [container] } },
      },
    },
    namespace,
  );

export const kubeVip = daemonSet('kube-system', 'kube-vip-ds', {
  name: 'kube-vip',
  image: 'ghcr.io/kube-vip/kube-vip:v1.0.1',
  env: [{ name: 'address', value: '10.0.0.100' }],
});

export const admission = object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'image-policy', {
  webhooks: [
    {
      name: 'images.policy.example',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      clientConfig: { service: { namespace: 'shop', name: 'catalogue' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
  ],
});

export const exemptingCalico = {
  webhooks: [
    {
      ...(valueAt(admission, ['webhooks', 0]) as Record<string, unknown>),
      namespaceSelector: {
        matchExpressions: [
          {
            key: 'kubernetes.io/metadata.name',
            operator: 'NotIn',
            values: ['tigera-operator', 'calico-system', 'calico-apiserver'],
          },
        ],
      },
    },
  ],
};

export const awayApi = object('apiregistration.k8s.io/v1', 'APIService', 'v3.projectcalico.org', {
  spec: { group: 'projectcalico.org', version: 'v3', groupPriorityMinimum: 1500, versionPriority: 200 },
  status: {
    conditions: [{ type: 'Available', status: 'False', reason: 'FailedDiscoveryCheck', message: 'no response' }],
  },
});

export const applicationLayer = (spec: Record<string, unknown>) =>
  all(
    changing('Installation', /^default$/, withSpec({ variant: 'TigeraSecureEnterprise' })),
    adding(object(apiVersionOf(resources.applicationLayers), 'ApplicationLayer', 'tigera-secure', { spec })),
  );

export const onVsphere = changing(
  'Node',
  /./,
  withSpec({ providerID: 'vsphere://4220a1b2-0000-4000-8000-000000000000' }),
);

export const throughVxlan = changing('IPPool', /./, withSpec({ vxlanMode: 'Always', ipipMode: 'Never' }));

export const nginx = daemonSet('ingress', 'nginx', {
  name: 'nginx',
  image: 'images.sandbox.example/nginx:1.29',
  ports: [{ containerPort: 80, hostPort: 80 }],
});

/** The objects that `kubeadm init phase addon kube-proxy` creates. */
export const proxyOfKubeadm = () =>
  (templates.standard?.objects(Date.UTC(2026, 0, 1)) ?? []).filter(
    ({ kind, metadata }) =>
      metadata.name === 'kube-proxy' && ['DaemonSet', 'ConfigMap', 'ServiceAccount'].includes(kind),
  );

export const toHost = 'FELIX_DEFAULTENDPOINTTOHOSTACTION';

export const onGoogle = changing('Node', /./, withSpec({ providerID: 'gce://project/region-1a/machine' }));

export const ofManifest = ({ kind, metadata: { namespace, name = '' } }: KubeObject) =>
  namespace === 'kube-system' && name.startsWith('calico-') && ['DaemonSet', 'Deployment'].includes(kind);
