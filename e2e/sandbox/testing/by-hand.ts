import { parseAllDocuments } from 'yaml';
import { isRecord, valueAt } from '#lib/base/records.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { Kube, KubeObject, MissingRule } from '#lib/kube/index.ts';
import { type openSandbox, templates } from '#lib/sandbox/index.ts';
import { apiVersionOf, type Choices, type Goal, type NodeTest, type Resource, resources } from '#lib/spec/index.ts';

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
  /** What no object shows, and the nodes or an address answer: before the remedy was followed, and after. */
  readonly answering?: (kube: Kube, isFollowed: () => boolean) => Kube;
  /** Nothing here: its own lines, its fix, or its subjects taken away, as everywhere. */
  readonly lines?: readonly string[];
  readonly does?: (sandbox: Sandbox, finding: Finding) => Promise<void>;
  readonly answers?: Partial<Choices>;
  /** Its remedy is to accept it, or that nothing is to be done before the plan, which these steps of it show. */
  readonly accepted?: true;
  readonly steps?: readonly string[];
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

/** Each node fails one test until somebody has done elsewhere what the finding asks for, and they are tested again. */
const failing =
  (test: NodeTest, because: string) =>
  (kube: Kube, isFollowed: () => boolean): Kube => ({
    ...kube,
    measureNodes: async (endpoint, options) => {
      const { nodes } = (await kube.measureNodes?.(endpoint, options)) ?? { nodes: [] };
      if (isFollowed()) return { nodes: nodes.map((node) => ({ ...node, proxy: 'none' })) };
      return {
        nodes: nodes.map((node) => ({ ...node, tests: { ...node.tests, [test]: { kind: 'failed', because } } })),
      };
    },
  });

/** Only one name stands in the certificate of the API servers, which answer to every name. */
const naming =
  (name: string) =>
  (kube: Kube): Kube => ({
    ...kube,
    probeEndpoint: async ({ host, port }) => {
      const shown = { names: [name], issuer: 'kubernetes', expiresAt: '2030-01-01T00:00:00.000Z' };
      return {
        connection: { made: true, latencyMs: 1 },
        certificate:
          host === name
            ? { ...shown, verified: true }
            : { ...shown, verified: false, because: `it does not name ${host}` },
        ready: host === name ? { status: 200, ok: true, failing: [] } : null,
        name: { resolved: true, addresses: ['10.0.0.100'], by: 'dns', records: [], aliases: [] },
        latency: { minMs: 1, medianMs: 1 },
        servers: [],
        dialled: [`${host}:${port}`],
        leftAlone: [],
      };
    },
  });

/** Nobody may change an Installation but by a ClusterRole that was made here since. */
const byRolesMadeHere = (kube: Kube): Kube => ({
  ...kube,
  allowed: async (rules, options) => {
    const roles: unknown[] = [];
    for await (const { items } of kube.list(resources.clusterRoles)) roles.push(...items.map((one) => one.rules));
    const isGranted = ({ verb, resource }: MissingRule) =>
      JSON.stringify(roles).includes(`"resources":["${resource}"],"verbs":["${verb}"]`);
    const answers = await kube.allowed(rules, options);
    return answers.map((one) =>
      one.resource === 'installations' && one.verb === 'patch' ? { ...one, allowed: isGranted(one) } : one,
    );
  },
});

/** What `kubectl apply -f -` of a remedy is given. */
const appliedIn = ({ remedy: { command = '' } }: Finding): KubeObject[] => {
  const text = /^kubectl apply -f - <<'EOF'\n([\s\S]*)\nEOF$/.exec(command)?.[1] ?? '';
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
};

const onGoogle = changing('Node', /./, withSpec({ providerID: 'gce://project/region-1a/machine' }));

/** What another sandbox has takes the place of what is here, as a migration by the operator leaves it. */
const as =
  (other: string, gone: (object: KubeObject) => boolean) =>
  async ({ kube, objects }: Sandbox): Promise<void> => {
    const known: readonly Resource[] = Object.values(resources);
    const resourceOf = ({ apiVersion, kind }: KubeObject) =>
      known.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion);
    const keyOf = ({ kind, metadata: { namespace = '', name = '' } }: KubeObject) => `${kind} ${namespace}/${name}`;
    const here = new Set(objects().map(keyOf));
    for (const one of objects().filter(gone)) {
      const resource = resourceOf(one);
      const { namespace, name = '' } = one.metadata;
      if (resource) await kube.delete({ resource, name, ...(namespace ? { namespace } : {}) });
    }
    for (const one of templates[other]?.objects(Date.UTC(2026, 0, 1)) ?? []) {
      const resource = resourceOf(one);
      if (resource && !here.has(keyOf(one)) && one.kind !== 'Pod') await kube.create(resource, one);
    }
  };

const ofManifest = ({ kind, metadata: { namespace, name = '' } }: KubeObject) =>
  namespace === 'kube-system' && name.startsWith('calico-') && ['DaemonSet', 'Deployment'].includes(kind);

/** A definition as an older release has it, whose schemas somebody's script wrote. */
const writtenBy =
  (manager: string) =>
  (one: KubeObject): KubeObject => {
    const old = JSON.parse(JSON.stringify(one).replaceAll('"assignmentMode"', '"olderField"'));
    const fieldsV1 = { 'f:spec': { 'f:versions': {} } };
    const entry = { manager, operation: 'Apply', apiVersion: one.apiVersion, fieldsType: 'FieldsV1', fieldsV1 };
    return { ...old, metadata: { ...old.metadata, managedFields: [entry] } };
  };

export const byHand: readonly ByHand[] = [
  ...(
    [
      ['node.bpf-loads', 'programs', 'kernel 6.1.0 refuses them'],
      ['node.mounts', 'mounts', 'the kernel has no bpffs'],
      ['network.vxlan-between-nodes', 'vxlan', 'worker-1 to worker-2: nothing arrived'],
      ['node.interfaces', 'interfaces', 'br0, which carries its address, is not matched by bpfDataIfacePattern'],
      ['feature.vlan-devices', 'vlan-devices', 'eth0.100, through which its address is reached, has a VLAN tag'],
      ['image.pullable', 'images', 'ErrImagePull'],
      ['network.services-answer', 'services-from-host', 'cluster DNS over UDP: no answer'],
      ['proxy.detected', 'service-proxy', 'kube-proxy runs as a service of the system, kube-proxy.service'],
    ] as const
  ).map(([id, test, because]) => ({
    id,
    goal: 'enable' as const,
    on: 'standard',
    answering: failing(test, because),
    does: async () => undefined,
  })),
  {
    id: 'permissions.plan',
    goal: 'enable',
    on: 'standard',
    answering: byRolesMadeHere,
    does: async ({ kube }, finding) => {
      for (const role of appliedIn(finding)) await kube.apply(resources.clusterRoles, role);
    },
  },
  {
    id: 'install.half-finished',
    goal: 'install',
    on: 'half-installed',
    steps: ['custom-resources'],
    // What the operator does then.
    does: as('standard', () => false),
  },
  {
    id: 'install.enterprise',
    goal: 'enable',
    on: 'standard',
    odd: changing('Installation', /^default$/, withSpec({ variant: 'TigeraSecureEnterprise' })),
    accepted: true,
  },
  {
    id: 'upgrade.policy-names',
    goal: 'upgrade',
    on: 'calico-3.30',
    odd: all(
      (objects) => JSON.parse(JSON.stringify(objects).replaceAll('v3.30.7', 'v3.30.0')),
      adding(
        object(apiVersionOf(resources.globalNetworkPolicies), 'GlobalNetworkPolicy', 'default.keep-out', {
          spec: { tier: 'default', selector: 'all()', types: ['Ingress'] },
        }),
      ),
    ),
    accepted: true,
  },
  {
    id: 'upgrade.field-conflicts',
    goal: 'upgrade',
    on: 'calico-3.30',
    odd: changing('CustomResourceDefinition', /^ippools\./, writtenBy('deploy-script')),
    accepted: true,
  },
  {
    id: 'endpoint.certificate',
    goal: 'enable',
    on: 'standard',
    asked: { endpoint: { host: 'api.other.example', port: '6443' } },
    answering: naming('api.sandbox.example'),
    answers: { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  },
  {
    id: 'feature.cloud-lb-health',
    goal: 'enable',
    on: 'calico-3.30',
    odd: all(
      onGoogle,
      adding(object('v1', 'Service', 'shop', { spec: { type: 'LoadBalancer', ports: [{ port: 443 }] } }, 'default')),
    ),
    does: async ({ kube }) => {
      const ref = { resource: resources.installations, name: 'default' } as const;
      const now = Object((await kube.get(ref))?.status);
      const body = { status: { ...now, calicoVersion: 'v3.31.7' } };
      await kube.patch(ref, { type: 'merge', body }, { subresource: 'status' });
    },
  },
  {
    id: 'enable.operator-needed',
    goal: 'enable',
    on: 'calico-manifest-3.30',
    does: as('standard', ofManifest),
  },
  {
    id: 'upgrade.recommend-move',
    goal: 'upgrade',
    on: 'calico-manifest-3.30',
    does: as('standard', ofManifest),
  },
  {
    id: 'endpoint.in-use',
    goal: 'enable',
    on: 'bpf',
    odd: changing('ConfigMap', /^kubernetes-services-endpoint$/, (one) => ({
      ...one,
      data: { KUBERNETES_SERVICE_HOST: '10.0.0.99', KUBERNETES_SERVICE_PORT: '6443' },
    })),
    lines: [
      'kubectl -n tigera-operator rollout restart deployment tigera-operator',
      // What the operator does then.
      ...['daemonset calico-node', 'deployment calico-typha', 'deployment calico-kube-controllers'].map(
        (workload) =>
          `kubectl -n calico-system set env ${workload} KUBERNETES_SERVICE_HOST=10.0.0.99 KUBERNETES_SERVICE_PORT=6443`,
      ),
    ],
  },
  {
    id: 'upgrade.crd-behind',
    goal: 'upgrade',
    on: 'owner-references',
    steps: ['crds'],
  },
  { id: 'platform.proxy-cannot-be-disabled', goal: 'enable', on: 'aks-azure-cni', accepted: true },
  {
    id: 'managed-by.helm',
    goal: 'enable',
    on: 'calico-helm-3.30',
    accepted: true,
  },
  {
    id: 'upgrade.crd-client-side-applied',
    goal: 'upgrade',
    on: 'calico-3.30',
    odd: changing('CustomResourceDefinition', /^ippools\./, (one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' } },
    })),
    accepted: true,
  },
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
    id: 'upgrade.rollout',
    goal: 'upgrade',
    on: 'owner-references',
    odd: changing('DaemonSet', /^calico-node$/, withSpec({ updateStrategy: { type: 'OnDelete' } })),
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
