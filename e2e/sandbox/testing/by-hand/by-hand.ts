import { valueAt } from '#lib/base/records.ts';
import type { Finding } from '#lib/checks/index.ts';
import type { Kube, KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, type Choices, type Goal, resources } from '#lib/spec/index.ts';
import { appliedIn, as, type Sandbox } from './acts.ts';
import { byRolesMadeHere, failing, naming } from './answers.ts';
import { adding, all, changing, object, withoutVariable, withSpec, writtenBy } from './changes.ts';
import {
  admission,
  applicationLayer,
  awayApi,
  exemptingCalico,
  kubeVip,
  nginx,
  ofManifest,
  onGoogle,
  onVsphere,
  proxyOfKubeadm,
  throughVxlan,
  toHost,
} from './objects.ts';

/**
 * A finding whose remedy has no commands that could be run as they are, on a cluster or with an answer that causes it; and what the administrator does:
 * commands of kubectl, another answer, or something else that the remedy says.
 */
export type ByHand = {
  readonly id: string;
  readonly goal: Goal;
  /** The sandbox's name; `odd` changes its objects. */
  readonly on: string;
  readonly odd?: (objects: KubeObject[]) => KubeObject[];
  readonly chosen?: Partial<Choices>;
  /** Simulates answers of nodes or of an address that no object shows, before and after the remedy was followed. */
  readonly answering?: (kube: Kube, isFollowed: () => boolean) => Kube;
  /** The commands of kubectl. Absent: the remedy's own lines, its fix, or removing its subjects. */
  readonly lines?: readonly string[];
  readonly does?: (sandbox: Sandbox, finding: Finding) => Promise<void>;
  readonly answers?: Partial<Choices>;
  /** The remedy is to accept the finding. */
  readonly accepted?: true;
  /** Operations of the plan that carry out the remedy. */
  readonly steps?: readonly string[];
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
    chosen: { endpoint: { host: 'api.other.example', port: '6443' } },
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
    chosen: { platform: 'gke' },
    answers: { platform: 'kubeadm' },
  },
  {
    id: 'endpoint.form',
    goal: 'enable',
    on: 'standard',
    chosen: { endpoint: { host: 'https://api.sandbox.example', port: '6443' } },
    answers: { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  },
  {
    id: 'endpoint.kube-vip',
    goal: 'enable',
    on: 'standard',
    odd: adding(kubeVip),
    chosen: { endpoint: { host: '10.0.0.100', port: '6443' } },
    lines: ['kubectl -n kube-system set env daemonset kube-vip-ds KUBERNETES_SERVICE_HOST=127.0.0.1'],
  },
  {
    id: 'endpoint.reachable',
    goal: 'enable',
    on: 'wrong-endpoint',
    answers: { endpoint: { host: '10.0.0.11', port: '6443' } },
  },
  { id: 'network.dsr-fabric', goal: 'enable', on: 'eks-own-cni', chosen: { dsr: true }, answers: { dsr: false } },
  { id: 'install.method-known', goal: 'enable', on: 'flannel', answers: { goal: 'install' } },
  {
    id: 'platform.kubernetes-version',
    goal: 'upgrade',
    on: 'standard',
    chosen: { release: 'v3.33.1' },
    answers: { release: 'v3.31.7' },
  },
  {
    id: 'upgrade.path',
    goal: 'upgrade',
    on: 'standard',
    chosen: { release: 'v3.24.6' },
    answers: { release: 'v3.31.7' },
  },
  {
    id: 'webhooks.can-deadlock',
    goal: 'enable',
    on: 'standard',
    odd: adding(admission),
    lines: [
      `kubectl patch validatingwebhookconfiguration image-policy --type merge -p '${JSON.stringify(exemptingCalico)}'`,
    ],
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
    chosen: { release: 'v3.32.0' },
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
