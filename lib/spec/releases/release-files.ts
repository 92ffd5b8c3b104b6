import type { Variant } from './enterprise.ts';
import type { VersionRange } from './gates.ts';
import { definitionNames } from './operator-definitions.ts';

/** An object that a file of a release must have. */
export type RequiredObject = {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly names: readonly string[];
};

/**
 * Objects that a file of a release must have. A file without one is truncated, edited too much, or not of this release; applied, it would leave an incomplete
 * installation.
 */
export type ReleaseFileRow = {
  /** The published name; `ocp` for all files of the OpenShift bundle together. */
  readonly file: string;
  /** Default: Calico. */
  readonly variant?: Variant;
  /** Releases to which the row applies; default: all. */
  readonly releases?: VersionRange;
  /** `required`: an installation needs the file. `optional`: it may be missing, but not incomplete. */
  readonly presence: 'required' | 'optional';
  readonly holds: readonly RequiredObject[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-21';
const core = '';
const rbac = 'rbac.authorization.k8s.io';
const tigera = 'operator.tigera.io';
const crds = (names: readonly string[]): RequiredObject => ({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  names,
});
const custom = (kinds: readonly string[]): readonly RequiredObject[] =>
  kinds.map((kind) => ({ group: tigera, kind, names: ['default'] }));

const everyCrd = definitionNames('every release');
/** Definitions without which an installation can neither be configured nor observed. */
const neededCrds: readonly string[] = [
  ...['apiservers', 'installations', 'tigerastatuses'].map((name) => `${name}.${tigera}`),
  ...['felixconfigurations', 'ippools'].map((name) => `${name}.crd.projectcalico.org`),
];
const operatorObjects: readonly RequiredObject[] = [
  { group: core, kind: 'Namespace', names: ['tigera-operator'] },
  { group: core, kind: 'ServiceAccount', namespace: 'tigera-operator', names: ['tigera-operator'] },
  { group: rbac, kind: 'ClusterRole', names: ['tigera-operator'] },
  { group: rbac, kind: 'ClusterRoleBinding', names: ['tigera-operator'] },
  { group: 'apps', kind: 'Deployment', namespace: 'tigera-operator', names: ['tigera-operator'] },
];

/** The file that upgrades OpenShift's operator: without definitions, custom resources and API server address (calico.md §1.2). */
export const openshiftUpgradeFile = 'tigera-operator-ocp-upgrade.yaml';

/** Whether a file is only for OpenShift; the others are for all other platforms. */
export const isForOpenshift = (file: string) => file === 'ocp' || file === openshiftUpgradeFile;

export const releaseFiles: readonly ReleaseFileRow[] = [
  {
    file: 'tigera-operator.yaml',
    presence: 'required',
    holds: operatorObjects,
    source: 'calico.md §1.2; tigera-operator.yaml of v3.24.6; tigera-operator.yaml of v3.31.4',
    read,
  },
  {
    file: 'tigera-operator.yaml',
    releases: { before: 'v3.30.0' },
    presence: 'required',
    holds: [crds(everyCrd)],
    source: 'calico.md §1.2; tigera-operator.yaml of v3.24.6; tigera-operator.yaml of v3.27.5',
    read,
  },
  {
    file: 'tigera-operator.yaml',
    releases: { from: 'v3.30.0' },
    presence: 'required',
    holds: [
      { group: rbac, kind: 'ClusterRole', names: ['tigera-operator-secrets'] },
      { group: rbac, kind: 'RoleBinding', namespace: 'tigera-operator', names: ['tigera-operator-secrets'] },
    ],
    source: 'tigera-operator.yaml of v3.30.7; tigera-operator.yaml of v3.31.4',
    read,
  },
  {
    file: 'operator-crds.yaml',
    releases: { from: 'v3.30.0' },
    presence: 'required',
    holds: [crds([...everyCrd, ...definitionNames('v3.30 and later')])],
    source: 'calico.md §1.2; operator-crds.yaml of v3.30.7; operator-crds.yaml of v3.31.4',
    read,
  },
  {
    file: 'custom-resources.yaml',
    presence: 'required',
    holds: custom(['Installation', 'APIServer']),
    source: 'custom-resources.yaml of v3.24.6; custom-resources.yaml of v3.27.5',
    read,
  },
  {
    file: 'custom-resources.yaml',
    releases: { from: 'v3.30.0' },
    presence: 'required',
    holds: custom(['Goldmane', 'Whisker']),
    source: 'custom-resources.yaml of v3.30.7; custom-resources.yaml of v3.31.4',
    read,
  },
  {
    file: 'custom-resources-bpf.yaml',
    releases: { from: 'v3.31.0' },
    presence: 'optional',
    holds: custom(['Installation', 'APIServer', 'Goldmane', 'Whisker']),
    source: 'calico.md §1.2; custom-resources-bpf.yaml of v3.31.4',
    read,
  },
  {
    file: 'ocp',
    presence: 'required',
    holds: [...operatorObjects, ...custom(['Installation'])],
    source: 'calico.md §1.2; projectcalico/calico manifests/ocp',
    read,
  },
  {
    file: 'ocp',
    releases: { from: 'v3.31.0' },
    presence: 'required',
    holds: [
      { group: core, kind: 'ConfigMap', namespace: 'tigera-operator', names: ['kubernetes-services-endpoint'] },
      ...custom(['APIServer']),
    ],
    source: 'calico.md §1.2',
    read,
  },
  {
    file: openshiftUpgradeFile,
    presence: 'required',
    holds: operatorObjects,
    source: 'tigera-operator-ocp-upgrade.yaml of v3.31.4',
    read: '2026-11-24',
  },
  // Enterprise’s files need a licence and were not read; only what the operator itself needs is required.
  {
    file: 'tigera-operator.yaml',
    variant: 'TigeraSecureEnterprise',
    presence: 'required',
    holds: operatorObjects,
    source:
      'calico.md §1.2; https://docs.tigera.io/calico-enterprise/latest/getting-started/install-on-clusters/kubernetes/options-install',
    read,
  },
  {
    file: 'operator-crds.yaml',
    variant: 'TigeraSecureEnterprise',
    presence: 'optional',
    holds: [crds(neededCrds)],
    source:
      'calico.md §1.2; https://docs.tigera.io/calico-enterprise/latest/getting-started/install-on-clusters/kubernetes/options-install',
    read,
  },
  {
    file: 'custom-resources.yaml',
    variant: 'TigeraSecureEnterprise',
    presence: 'required',
    holds: custom(['Installation']),
    source: 'spec › Installation resource; spec › Versioning',
    read,
  },
  {
    file: 'ocp',
    variant: 'TigeraSecureEnterprise',
    presence: 'required',
    holds: [...operatorObjects, ...custom(['Installation'])],
    source: 'calico.md §1.2',
    read,
  },
];

/** What a published manifest leaves for its user to fill in: `http://<ETCD_IP>:<ETCD_PORT>` in calico-etcd.yaml (calico.md §1.2). */
export const publishedPlaceholder = /<[A-Z_]+>/;
