import type { Variant } from './enterprise.ts';
import type { VersionRange } from './gates.ts';
import { definitionNames } from './operator-definitions.ts';

/** An object that a file of a release must hold. */
export type RequiredObject = {
  readonly group: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly names: readonly string[];
};

/**
 * What must stand in which file of a release. A file that lacks one of these is cut, edited too far, or no file of this release: applied, it
 * would leave half an installation.
 */
export type ReleaseFileRow = {
  /** As published; `ocp` stands for all files of the OpenShift bundle together. */
  readonly file: string;
  /** Calico, where it is left out. */
  readonly variant?: Variant;
  /** Releases that have this row; all, where it is left out. */
  readonly releases?: VersionRange;
  /** required: without it nothing can be installed. optional: where it is there, it must be whole. */
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
/** Without these nothing of an installation can be asked for or seen. */
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

/** By which OpenShift's operator is upgraded: no kinds, no custom resources, no address of the API server (calico.md §1.2). */
export const openshiftUpgradeFile = 'tigera-operator-ocp-upgrade.yaml';

/** What OpenShift alone takes of a release; the rest of the table is for everywhere else. */
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
  // Enterprise’s files are nobody’s to read without a licence: only what the operator itself cannot do without is asked for.
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
