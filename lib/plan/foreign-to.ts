import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import type { Act } from './act.ts';
import { expectationsOf } from './field.ts';
import { managementPath } from './proxy-removal.ts';

/**
 * What each operation may write: whoever hands over a plan.json, or changes a journal, can choose among the operations of this catalogue
 * and cannot turn one into another (a DaemonSet of their own, another image for kube-proxy). One row an object; `below`: the fields, and
 * everything under them. A namespace that is not named is the operator's, wherever that is.
 */
type Row = {
  /** A kind by its name, or every kind of a group. */
  kind: string | { ofGroup: string };
  /** An object’s name; of definitions, how it may end. */
  name: string | RegExp;
  namespace?: string;
  below: readonly (readonly string[])[];
  /** It may go: the operation makes it, or is about its removal. Nobody’s Installation goes but the one that an install made. */
  goes?: true;
};

const template = ['spec', 'template'];
const annotation = (key: string) => ['metadata', 'annotations', key];
const installation = (...below: (readonly string[])[]): Row => ({
  kind: 'Installation',
  name: names.installation,
  below,
});
const felix = (...below: string[][]): Row => ({
  kind: 'FelixConfiguration',
  name: names.felixConfiguration,
  below,
  goes: true,
});
const made = (kind: Row['kind'], name: string | RegExp, below: readonly string[][], namespace?: string): Row => ({
  kind,
  name,
  below,
  goes: true,
  ...(namespace === undefined ? {} : { namespace }),
});
const operator = (...below: string[][]): Row => ({ kind: 'Deployment', name: names.operatorDeployment, below });
const system = (kind: string, name: string, ...below: string[][]): Row => ({
  kind,
  name,
  namespace: names.systemNamespace,
  below,
});
const proxySelector = (key: string) => [...template, 'spec', 'nodeSelector', key];
const proxy = (...below: string[][]): Row => system('DaemonSet', names.kubeProxyDaemonSet, ...below);

const cleanup = felix(['spec', 'bpfKubeProxyIptablesCleanupEnabled']);
const operatorMark = operator([...template, ...annotation(names.endpointHashAnnotation)]);

const namespaceMarks = [
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
];
/** Of Calico and its operator; Elastic’s and Prometheus’ come along with Calico Enterprise, whose logs and numbers they keep. */
const ourDefinitions =
  /\.(tigera\.io|projectcalico\.org|policy\.networking\.k8s\.io|k8s\.elastic\.co|monitoring\.coreos\.com)$/;

/** Whether a plan may define this kind: `ippools.crd.projectcalico.org`. */
export function mayBeDefined(name: string): boolean {
  return ourDefinitions.test(name);
}

const isOperators = new RegExp(`^${names.operatorDeployment}(-secrets)?$`);
/** What runs the operator, whose rights and images its release decides (calico.md §1.2). */
const operatorObjects: readonly Row[] = [
  made('ServiceAccount', names.operatorDeployment, [['metadata'], ['imagePullSecrets']]),
  ...['ClusterRole', 'Role'].map((kind) => made(kind, isOperators, [['metadata'], ['rules']])),
  ...['ClusterRoleBinding', 'RoleBinding'].map((kind) =>
    made(kind, isOperators, [['metadata'], ['subjects'], ['roleRef']]),
  ),
  made('Deployment', names.operatorDeployment, [['metadata'], ['spec']]),
];

const rows: Readonly<Record<string, readonly Row[]>> = {
  snapshot: [],
  'operator.dns': [operator([...template, 'spec', 'dnsPolicy'], [...template, 'spec', 'dnsConfig'])],
  'endpoint.configmap': [made('ConfigMap', names.endpointConfigMap, [['data']])],
  'endpoint.active': [operatorMark],
  'endpoint.restart-operator': [operatorMark],
  'felix.cleanup-flag': [cleanup],
  'felix.annotation': [felix(annotation(names.bpfEnabledAnnotation))],
  'felix.options': [
    felix(
      ['spec', 'bpfExternalServiceMode'],
      ['spec', 'bpfKubeProxyHealthzPort'],
      ['spec', 'cgroupV2Path'],
      ['spec', 'bpfConnectTimeLoadBalancing'],
      ['spec', 'bpfHostNetworkedNATWithoutCTLB'],
    ),
  ],
  'installation.options': [installation(['spec'])],
  'service.nat-exclude': [system('Service', names.kubeDnsService, annotation(names.natExcludeAnnotation))],
  'switch.bpf': [
    cleanup,
    installation(['spec', 'calicoNetwork', 'linuxDataplane'], ['spec', 'calicoNetwork', 'hostPorts']),
  ],
  'switch.bpf.helm': [cleanup],
  'bpf.active': [],
  'proxy.disable.daemonset': [proxy(proxySelector(names.nonCalicoSelector))],
  'proxy.disable.openshift': [{ kind: 'Network', name: 'cluster', below: [['spec', 'deployKubeProxy']] }],
  'proxy.disable.managed': [
    installation(managementPath),
    proxy(proxySelector(names.nonCalicoSelector), proxySelector(names.operatorProxySelector)),
  ],
  'proxy.instructions': [],
  'felix.cleanup-restore': [cleanup],
  'proxy.forget-kubeadm': [
    made('ConfigMap', names.kubeProxyDaemonSet, [['data'], ['binaryData'], ['immutable']], names.systemNamespace),
  ],
  'proxy.ipvs-to-iptables': [
    system('ConfigMap', names.kubeProxyDaemonSet, ['data', 'config.conf']),
    proxy([...template, ...annotation(names.proxyModeAnnotation)]),
  ],
  namespace: [
    made('Namespace', names.operatorNamespace, namespaceMarks),
    made('Namespace', names.calicoNamespace, namespaceMarks),
  ],
  crds: [made('CustomResourceDefinition', ourDefinitions, [])],
  'operator.apply': operatorObjects,
  'openshift.bundle': [...operatorObjects, made('ConfigMap', /^/, [['data'], ['metadata']], names.operatorNamespace)],
  'cni.remove-aws-node': [made('DaemonSet', 'aws-node', [['spec'], ['metadata']], names.systemNamespace)],
  'custom-resources': [made({ ofGroup: resources.installations.group }, /^/, [['spec'], ['metadata']])],
  'installation.available': [],
  'verify.pods': [],
  'verify.version': [],
  'verify.services': [],
};

const mayHelm = 'switch.bpf.helm';

/** Why this act is not one of the operation, or null. */
export function foreignTo(id: string, act: Act): string | null {
  const own = Object.hasOwn(rows, id) ? rows[id] : undefined;
  if (own === undefined) return 'is not an operation of this version';
  switch (act.kind) {
    case 'sequence':
      return act.steps.map((step) => foreignTo(id, step.act)).find((because) => because !== null) ?? null;
    case 'helm':
      return id === mayHelm ? null : `holds an act that ${id} may not do: helm`;
    case 'delete':
    case 'delete-all': {
      const targets = act.kind === 'delete' ? [act.target] : act.targets;
      const foreign = targets.find((target) => !rowsOf(own, target).some(({ goes }) => goes === true));
      return foreign === undefined
        ? null
        : `holds an act that ${id} may not do: delete ${foreign.resource.kind} ${foreign.name}`;
    }
    case 'merge-patch':
    case 'apply':
    case 'recreate':
      return foreignFields(id, own, act);
    case 'apply-manifest': {
      const foreign = act.targets.find((target) => rowsOf(own, target).length === 0);
      return foreign === undefined
        ? null
        : `holds an act that ${id} may not do: write ${foreign.resource.kind} ${foreign.name}`;
    }
    case 'journal':
    case 'wait':
    case 'verify':
    case 'instruct':
      return null;
  }
}

function foreignFields(
  id: string,
  own: readonly Row[],
  { kind, target, body }: Extract<Act, { kind: 'merge-patch' | 'apply' | 'recreate' }>,
): string | null {
  const fitting = rowsOf(own, target);
  const isRecreation = kind === 'recreate' && target.resource.kind === 'ConfigMap';
  const foreign = expectationsOf(body).find(
    ({ path }) =>
      !fitting.some(({ below }) => below.some((allowed) => startsWith(path, allowed))) &&
      !(kind !== 'merge-patch' && isIdentity(path)) &&
      !(isRecreation && path[0] === 'metadata'),
  );
  if (fitting.length > 0 && foreign === undefined) return null;
  const field = foreign === undefined || fitting.length === 0 ? '' : `, ${foreign.path.join('.')}`;
  return `holds an act that ${id} may not do: write ${target.resource.kind} ${target.name}${field}`;
}

function rowsOf(own: readonly Row[], { resource, namespace, name }: ObjectRef): Row[] {
  return own.filter(
    (row) =>
      (typeof row.kind === 'string' ? row.kind === resource.kind : row.kind.ofGroup === resource.group) &&
      (typeof row.name === 'string' ? row.name === name : row.name.test(name)) &&
      (row.namespace === undefined || row.namespace === namespace),
  );
}

function isIdentity(path: readonly string[]): boolean {
  return ['apiVersion', 'kind', 'metadata.name', 'metadata.namespace'].includes(path.join('.'));
}

function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key);
}
