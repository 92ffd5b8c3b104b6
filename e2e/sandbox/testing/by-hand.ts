import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { type openSandbox, templates } from '#lib/sandbox/index.ts';
import { apiVersionOf, type Choices, type Goal, resources } from '#lib/spec/index.ts';

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/**
 * A cluster, or an answer, that has a finding whose remedy no command of its own carries out: what the administrator does then, in kubectl's words, by
 * an answer, or otherwise as the remedy says it.
 */
export type ByHand = {
  readonly id: string;
  readonly goal: Goal;
  /** The sandbox, and what is different in it. */
  readonly on: string;
  readonly odd?: (objects: KubeObject[]) => KubeObject[];
  readonly asked?: Partial<Choices>;
  /** Nothing here: its own lines, its fix, or its subjects taken away, as everywhere. */
  readonly lines?: readonly string[];
  readonly does?: (sandbox: Sandbox, finding: Finding) => Promise<void>;
  readonly answers?: Partial<Choices>;
};

const object = (
  apiVersion: string,
  kind: string,
  name: string,
  rest: Record<string, unknown>,
  namespace?: string,
): KubeObject => ({ apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...rest });

const adding =
  (...added: readonly KubeObject[]) =>
  (objects: KubeObject[]) => [...objects, ...added];

/** Throws where nothing is of this kind and name: a row that changes nothing shows nothing. */
const changing =
  (kind: string, name: RegExp, change: (object: KubeObject) => KubeObject) =>
  (objects: KubeObject[]): KubeObject[] => {
    const isMeant = (one: KubeObject) => one.kind === kind && name.test(one.metadata.name ?? '');
    if (!objects.some(isMeant)) throw new Error(`no ${kind} is called ${name}`);
    return objects.map((one) => (isMeant(one) ? change(one) : one));
  };

const withSpec =
  (spec: Record<string, unknown>) =>
  (one: KubeObject): KubeObject => ({ ...one, spec: { ...Object(one.spec), ...spec } });

const all =
  (...changes: readonly ((objects: KubeObject[]) => KubeObject[])[]) =>
  (objects: KubeObject[]) =>
    changes.reduce((changed, change) => change(changed), objects);

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

const kubeVip = daemonSet('kube-system', 'kube-vip-ds', {
  name: 'kube-vip',
  image: 'ghcr.io/kube-vip/kube-vip:v1.0.1',
  env: [{ name: 'address', value: '10.0.0.100' }],
});

const admission = object('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', 'image-policy', {
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
const sparing = {
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

const awayApi = object('apiregistration.k8s.io/v1', 'APIService', 'v3.projectcalico.org', {
  spec: { group: 'projectcalico.org', version: 'v3', groupPriorityMinimum: 1500, versionPriority: 200 },
  status: {
    conditions: [{ type: 'Available', status: 'False', reason: 'FailedDiscoveryCheck', message: 'no response' }],
  },
});

const applicationLayer = (spec: Record<string, unknown>) =>
  all(
    changing('Installation', /^default$/, withSpec({ variant: 'TigeraSecureEnterprise' })),
    adding(object(apiVersionOf(resources.applicationLayers), 'ApplicationLayer', 'tigera-secure', { spec })),
  );

const onVsphere = changing('Node', /./, withSpec({ providerID: 'vsphere://4220a1b2-0000-4000-8000-000000000000' }));
const throughVxlan = changing('IPPool', /./, withSpec({ vxlanMode: 'Always', ipipMode: 'Never' }));

const nginx = daemonSet('ingress', 'nginx', {
  name: 'nginx',
  image: 'images.sandbox.example/nginx:1.29',
  ports: [{ containerPort: 80, hostPort: 80 }],
});

/** As `kubeadm init phase addon kube-proxy` makes them. */
const proxyOfKubeadm = () =>
  (templates.standard?.objects(Date.UTC(2026, 0, 1)) ?? []).filter(
    ({ kind, metadata }) =>
      metadata.name === 'kube-proxy' && ['DaemonSet', 'ConfigMap', 'ServiceAccount'].includes(kind),
  );

const toHost = 'FELIX_DEFAULTENDPOINTTOHOSTACTION';
const withoutVariable = (one: KubeObject, variable: string): KubeObject =>
  JSON.parse(
    JSON.stringify(one, (_key, value: unknown) =>
      Array.isArray(value) ? value.filter((item) => !isRecord(item) || item.name !== variable) : value,
    ),
  );

export const byHand: readonly ByHand[] = [
  {
    id: 'platform.supported',
    goal: 'enable',
    on: 'standard',
    asked: { platform: 'gke' },
    answers: { platform: 'kubeadm' },
  },
  {
    id: 'endpoint.form',
    goal: 'enable',
    on: 'standard',
    asked: { endpoint: { host: 'https://api.sandbox.example', port: '6443' } },
    answers: { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  },
  {
    id: 'endpoint.kube-vip',
    goal: 'enable',
    on: 'standard',
    odd: adding(kubeVip),
    asked: { endpoint: { host: '10.0.0.100', port: '6443' } },
    lines: ['kubectl -n kube-system set env daemonset kube-vip-ds KUBERNETES_SERVICE_HOST=127.0.0.1'],
  },
  {
    id: 'endpoint.reachable',
    goal: 'enable',
    on: 'wrong-endpoint',
    answers: { endpoint: { host: '10.0.0.11', port: '6443' } },
  },
  { id: 'network.dsr-fabric', goal: 'enable', on: 'eks-own-cni', asked: { dsr: true }, answers: { dsr: false } },
  { id: 'install.method-known', goal: 'enable', on: 'flannel', answers: { goal: 'install' } },
  {
    id: 'platform.kubernetes-version',
    goal: 'upgrade',
    on: 'standard',
    asked: { release: 'v3.33.1' },
    answers: { release: 'v3.31.7' },
  },
  {
    id: 'upgrade.path',
    goal: 'upgrade',
    on: 'standard',
    asked: { release: 'v3.24.6' },
    answers: { release: 'v3.31.7' },
  },
  {
    id: 'webhooks.can-deadlock',
    goal: 'enable',
    on: 'standard',
    odd: adding(admission),
    lines: [`kubectl patch validatingwebhookconfiguration image-policy --type merge -p '${JSON.stringify(sparing)}'`],
  },
  {
    id: 'api.aggregated-available',
    goal: 'enable',
    on: 'standard',
    odd: all(
      (objects) => objects.filter(({ kind }) => kind !== 'APIService'),
      adding(awayApi, object(apiVersionOf(resources.apiServers), 'APIServer', 'default', { spec: {} })),
    ),
    // The second is what the operator does then.
    lines: ['kubectl delete apiservers.operator.tigera.io default', 'kubectl delete apiservice v3.projectcalico.org'],
  },
  {
    id: 'install.status-healthy',
    goal: 'enable',
    on: 'standard',
    odd: changing('Deployment', /^tigera-operator$/, (one) => ({ ...withSpec({ replicas: 0 })(one), status: {} })),
    lines: [`kubectl -n tigera-operator patch deployment tigera-operator --type merge -p '{"spec":{"replicas":1}}'`],
  },
  {
    id: 'feature.l7-logs',
    goal: 'enable',
    on: 'standard',
    odd: applicationLayer({ logCollection: { collectLogs: 'Enabled' } }),
  },
  {
    id: 'feature.application-layer-policy',
    goal: 'enable',
    on: 'standard',
    odd: applicationLayer({ applicationLayerPolicy: 'Enabled' }),
  },
  { id: 'feature.waf', goal: 'enable', on: 'standard', odd: applicationLayer({ webApplicationFirewall: 'Enabled' }) },
  {
    id: 'feature.host-ports',
    goal: 'enable',
    on: 'owner-references',
    odd: adding(nginx, object('crd.projectcalico.org/v1', 'FelixConfiguration', 'default', { spec: {} })),
  },
  {
    id: 'feature.admin-network-policy',
    goal: 'upgrade',
    on: 'standard',
    asked: { release: 'v3.32.0' },
    odd: adding(
      object(apiVersionOf(resources.adminNetworkPolicies), 'AdminNetworkPolicy', 'keep-out', {
        spec: { priority: 10 },
      }),
    ),
  },
  {
    id: 'feature.endpoint-to-host',
    goal: 'enable',
    on: 'kubespray',
    odd: changing('DaemonSet', /^calico-node$/, (one) => {
      const changed = withoutVariable(one, toHost);
      const containers = valueAt(changed, ['spec', 'template', 'spec', 'containers']) as { env: unknown[] }[];
      containers[0]?.env.push({ name: toHost, value: 'RETURN' });
      return changed;
    }),
  },
  {
    id: 'feature.endpoint-to-host',
    goal: 'enable',
    on: 'standard',
    odd: all(
      changing('FelixConfiguration', /^default$/, withSpec({ defaultEndpointToHostAction: 'Drop' })),
      changing('DaemonSet', /^calico-node$/, (one) => withoutVariable(one, toHost)),
    ),
  },
  { id: 'network.offload', goal: 'upgrade', on: 'owner-references', odd: all(onVsphere, throughVxlan) },
  { id: 'install.nothing-there', goal: 'install', on: 'flannel' },
  {
    id: 'node.below-advice',
    goal: 'enable',
    on: 'standard',
    odd: changing('Node', /^worker-3$/, (one) => {
      const status = Object(one.status);
      const system = { kernelVersion: '5.8.0-1-amd64', osImage: 'Debian GNU/Linux 11 (bullseye)' };
      return { ...one, status: { ...status, nodeInfo: { ...status.nodeInfo, ...system } } };
    }),
  },
  {
    id: 'upgrade.owner-references',
    goal: 'upgrade',
    on: 'owner-references',
    lines: [`kubectl -n default patch configmap cart-settings --type merge -p '{"metadata":{"ownerReferences":null}}'`],
  },
  { id: 'upgrade.manual-changes', goal: 'upgrade', on: 'docker-registry', answers: { changes: { all: 'keep' } } },
  {
    id: 'upgrade.helm-pending',
    goal: 'upgrade',
    on: 'helm-pending',
    does: async ({ kube }, { remedy }) => {
      const [program, ...words] = (remedy.command ?? '').split(' ');
      if (program !== 'helm' || !kube.helm) throw new Error(`not Helm: ${remedy.command}`);
      await kube.helm(words);
    },
  },
  {
    id: 'upgrade.registry-moved',
    goal: 'upgrade',
    on: 'calico-3.30',
    odd: changing('DaemonSet', /^calico-node$/, (one) =>
      JSON.parse(JSON.stringify(one).replaceAll('quay.io/calico/', 'docker.io/calico/')),
    ),
    lines: [`kubectl patch installation default --type merge --patch '{"spec":{"registry":"docker.io/"}}'`],
  },
  {
    id: 'proxy.can-come-back',
    goal: 'undo',
    on: 'proxy-deleted',
    does: async ({ kube }) => {
      const made = [resources.daemonSets, resources.configMaps, resources.serviceAccounts];
      for (const { metadata, ...one } of proxyOfKubeadm())
        for (const resource of made.filter(({ kind }) => kind === one.kind))
          await kube.create(resource, { ...one, metadata: { name: metadata.name ?? '', namespace: 'kube-system' } });
    },
  },
];
