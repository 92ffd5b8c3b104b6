import { releaseDefinitions } from '#lib/operator/index.ts';
import { type ManifestObject, names } from '#lib/spec/index.ts';

/** The files that install Calico without an operator, as far as sandboxes have them. */
export type CalicoManifest = 'calico' | 'calico-etcd' | 'canal';

const namespace = names.systemNamespace;
const rbac = 'rbac.authorization.k8s.io';
const controllers = 'calico-kube-controllers';
const selects = (name: string) => ({ 'k8s-app': name });

/**
 * `calico.yaml` and its siblings (calico.md §1.2), with the published objects in the order of the file, each reduced to the fields on which decisions
 * depend. Fields that the server fills in are left out, as in the published ones. `version` is Calico's, `v3.31.4`.
 */
export function calicoManifest(flavour: CalicoManifest, version: string): ManifestObject[] {
  const minor = Number(version.split('.')[1]);
  const agent = flavour === 'canal' ? 'canal' : 'calico-node';
  const granted = roles[flavour].filter(({ role }) => minor >= 30 || role !== 'calico-tier-getter');
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: controllers, namespace, labels: selects(controllers) },
      spec: { maxUnavailable: 1, selector: { matchLabels: selects(controllers) } },
    },
    ...[controllers, agent, 'calico-cni-plugin'].map(serviceAccount),
    ...(flavour === 'calico-etcd' ? [emptySecret] : []),
    settings[flavour],
    ...(flavour === 'calico-etcd' ? [] : manifestDefinitions(minor)),
    ...granted.map(({ role }) => clusterRole(role, minor)).filter(isFirst),
    ...granted.map(binding),
    daemonSet(flavour, version),
    deployment(version),
  ];
}

/** The operator's kinds are left out; those of Kubernetes' policies exist since v3.29. */
function manifestDefinitions(minor: number): ManifestObject[] {
  const groups = ['.crd.projectcalico.org', ...(minor >= 29 ? ['.policy.networking.k8s.io'] : [])];
  return releaseDefinitions().filter(({ metadata }) => groups.some((group) => metadata.name.endsWith(group)));
}

const isFirst = ({ metadata }: ManifestObject, at: number, all: readonly ManifestObject[]) =>
  all.findIndex((one) => one.metadata.name === metadata.name) === at;

const serviceAccount = (name: string): ManifestObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace },
});

/** Users put their certificates into it. */
const emptySecret: ManifestObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'calico-etcd-secrets', namespace },
};

const configMap = (name: string, data: Readonly<Record<string, string>>): ManifestObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { typha_service_name: 'none', veth_mtu: '0', ...data },
});

const settings: Readonly<Record<CalicoManifest, ManifestObject>> = {
  calico: configMap('calico-config', { calico_backend: 'bird' }),
  'calico-etcd': configMap('calico-config', {
    calico_backend: 'bird',
    etcd_endpoints: 'http://<ETCD_IP>:<ETCD_PORT>',
    etcd_ca: '',
  }),
  canal: configMap('canal-config', { canal_iface: '', masquerade: 'true' }),
};

type Granted = { readonly binding: string; readonly role: string; readonly account: string | null };

const own = (name: string): Granted => ({ binding: name, role: name, account: name });
const tierGetter: Granted = { binding: 'calico-tier-getter', role: 'calico-tier-getter', account: null };

const ofCalico = [own(controllers), own('calico-node'), own('calico-cni-plugin'), tierGetter];
const roles: Readonly<Record<CalicoManifest, readonly Granted[]>> = {
  calico: ofCalico,
  'calico-etcd': ofCalico,
  canal: [
    own(controllers),
    { binding: 'canal-flannel', role: 'flannel', account: 'canal' },
    { binding: 'canal-calico', role: 'calico-node', account: 'canal' },
    own('calico-cni-plugin'),
    tierGetter,
  ],
};

/** Has fewer rules than the real one, because nothing in a sandbox needs them. v3.31 watches namespaces for addresses of load balancers. */
function clusterRole(name: string, minor: number): ManifestObject {
  const kinds = ['nodes', 'pods', ...(name === controllers && minor >= 31 ? ['namespaces'] : [])];
  const rules = kinds.map((kind) => ({ apiGroups: [''], resources: [kind], verbs: ['get', 'list', 'watch'] }));
  const tiers = [{ apiGroups: ['projectcalico.org'], resources: ['tiers'], verbs: ['get'] }];
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules: name === tierGetter.role ? tiers : rules,
  };
}

function binding({ binding: name, role, account }: Granted): ManifestObject {
  const subject =
    account === null
      ? { apiGroup: rbac, kind: 'User', name: 'system:kube-controller-manager' }
      : { kind: 'ServiceAccount', name: account, namespace };
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: role },
    subjects: [subject],
  };
}

/** The image in the registry where the release publishes it (calico.md §1.2). */
const imageOf = (name: string, version: string) =>
  `${Number(version.split('.')[1]) >= 31 ? 'quay.io' : 'docker.io'}/calico/${name}:${version}`;

const fromSettings = (name: string, key: string) => ({
  name,
  valueFrom: { configMapKeyRef: { name: 'calico-config', key } },
});

function daemonSet(flavour: CalicoManifest, version: string): ManifestObject {
  const isCanal = flavour === 'canal';
  const name = isCanal ? 'canal' : 'calico-node';
  const minor = Number(version.split('.')[1]);
  const store =
    flavour === 'calico-etcd'
      ? fromSettings('ETCD_ENDPOINTS', 'etcd_endpoints')
      : { name: 'DATASTORE_TYPE', value: 'kubernetes' };
  const backend = isCanal
    ? { name: 'CALICO_NETWORKING_BACKEND', value: 'none' }
    : fromSettings('CALICO_NETWORKING_BACKEND', 'calico_backend');
  const pull = { imagePullPolicy: 'IfNotPresent' };
  const felix = {
    name: 'calico-node',
    image: imageOf('node', version),
    ...pull,
    env: [
      store,
      backend,
      { name: 'FELIX_IPV6SUPPORT', value: 'false' },
      { name: 'FELIX_HEALTHENABLED', value: 'true' },
    ],
    resources: { requests: { cpu: '250m' } },
  };
  const flannel = { name: 'kube-flannel', image: 'images.sandbox.example/flannel:v0.24.4', ...pull };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels: selects(name) },
    spec: {
      selector: { matchLabels: selects(name) },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels: selects(name) },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          hostNetwork: true,
          tolerations: [
            { effect: 'NoSchedule', operator: 'Exists' },
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { effect: 'NoExecute', operator: 'Exists' },
          ],
          serviceAccountName: name,
          terminationGracePeriodSeconds: 0,
          priorityClassName: 'system-node-critical',
          initContainers: [
            { name: 'install-cni', image: imageOf('cni', version), ...pull },
            { name: minor >= 31 ? 'ebpf-bootstrap' : 'mount-bpffs', image: imageOf('node', version), ...pull },
          ],
          containers: isCanal ? [felix, flannel] : [felix],
        },
      },
    },
  };
}

function deployment(version: string): ManifestObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: controllers, namespace, labels: selects(controllers) },
    spec: {
      replicas: 1,
      selector: { matchLabels: selects(controllers) },
      strategy: { type: 'Recreate' },
      template: {
        metadata: { name: controllers, namespace, labels: selects(controllers) },
        spec: {
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
          ],
          serviceAccountName: controllers,
          priorityClassName: 'system-cluster-critical',
          containers: [
            {
              name: controllers,
              image: imageOf('kube-controllers', version),
              imagePullPolicy: 'IfNotPresent',
              env: [{ name: 'ENABLED_CONTROLLERS', value: 'node,loadbalancer' }],
            },
          ],
        },
      },
    },
  };
}
