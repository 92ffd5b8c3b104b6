import { names } from './names.ts';
import { parseApiVersion } from './object-ref.ts';

/**
 * Objects that Calico or their namespace creates by itself, so that deleting them loses nobody's work. When an installation is undone, all other objects are
 * reported instead of deleted.
 */
export type OwnObject = {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Absent: all objects of the kind. */
  readonly names?: RegExp;
  /** Only with this label. */
  readonly label?: readonly [key: string, value: string];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-21';
const calico = 'crd.projectcalico.org';
const policySource = 'calico.md §3; observed: the operator’s own tier and policies';

export const ownObjects: readonly OwnObject[] = [
  ...['IPAMBlock', 'IPAMHandle', 'BlockAffinity', 'ClusterInformation'].map((kind) => ({
    group: calico,
    kind,
    source: 'observed: Calico’s own book-keeping, which nobody writes by hand',
    read,
  })),
  ...['IPAMConfig', 'KubeControllersConfiguration', 'FelixConfiguration', 'BGPConfiguration'].map((kind) => ({
    group: calico,
    kind,
    names: /^default$/,
    source: 'calico.md §3.5; calico.md §7',
    read,
  })),
  {
    group: calico,
    kind: 'IPPool',
    label: [names.managedByLabel, 'tigera-operator'],
    source: 'calico.md §2.3',
    read,
  },
  {
    group: calico,
    kind: 'HostEndpoint',
    label: ['projectcalico.org/created-by', 'calico-kube-controllers'],
    source: 'spec › Host endpoints',
    read,
  },
  {
    group: calico,
    kind: 'Tier',
    names:
      /^(default|allow-tigera|calico-system|adminnetworkpolicy|baselineadminnetworkpolicy|kube-admin|kube-baseline)$/,
    source: policySource,
    read,
  },
  ...['NetworkPolicy', 'GlobalNetworkPolicy'].map((kind) => ({
    group: calico,
    kind,
    names: /^(allow-tigera|calico-system)\./,
    source: policySource,
    read,
  })),
  { group: 'operator.tigera.io', kind: 'TigeraStatus', source: 'calico.md §4', read },
  ...['kube-root-ca.crt', 'openshift-service-ca.crt', 'tigera-ca-bundle', 'kubernetes-services-endpoint'].map(
    (name) => ({
      group: '',
      kind: 'ConfigMap',
      names: new RegExp(`^${name.replaceAll('.', '\\.')}$`),
      source: 'observed: kube-controller-manager and OpenShift put the first two into every namespace; calico.md §3.2',
      read,
    }),
  ),
  {
    group: '',
    kind: 'ServiceAccount',
    names: /^(default|builder|deployer)$/,
    source: 'observed: kube-controller-manager and OpenShift put them into every namespace',
    read,
  },
  {
    group: '',
    kind: 'Secret',
    names:
      /^(default|builder|deployer|tigera-operator)-(token|dockercfg)-|^(tigera-ca-private|(node|typha|calico-[a-z-]+|goldmane|whisker[a-z-]*)-(certs|key-pair)|typha-certs-noncluster-host)$/,
    source: 'calico.md §6.2; observed: tokens that Kubernetes makes',
    read,
  },
  {
    group: 'rbac.authorization.k8s.io',
    kind: 'RoleBinding',
    names: /^(system:|tigera-operator-secrets$)/,
    source: 'observed: OpenShift puts system:… into every namespace; calico.md §1.2',
    read,
  },
  {
    group: 'coordination.k8s.io',
    kind: 'Lease',
    names: /^operator-lock$/,
    source: 'observed: the operator’s leader election',
    read,
  },
  ...['', 'events.k8s.io'].map((group) => ({
    group,
    kind: 'Event',
    source: 'observed: what happened, kept for an hour',
    read,
  })),
];

/** Whether the object may be deleted without loss. */
export function isOwnObject(object: {
  apiVersion: string;
  kind: string;
  metadata: { name?: string; labels?: Record<string, string> };
}): boolean {
  const { group } = parseApiVersion(object.apiVersion);
  const { name = '', labels = {} } = object.metadata;
  return ownObjects.some(
    (own) =>
      own.group === group &&
      own.kind === object.kind &&
      (own.names?.test(name) ?? true) &&
      (own.label === undefined || labels[own.label[0]] === own.label[1]),
  );
}
