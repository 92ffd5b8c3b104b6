import { type Container, containerNamed, type Workload } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { type ConfigMaps, variableOf } from '../reading/workload.ts';
import type { Facts } from '../schema.ts';

export type Manifest = NonNullable<Facts['installation']['manifest']>;

/** The agent of an installation by manifest, with the ConfigMaps of its environment. */
export type ManifestAgent = {
  readonly workload: Workload;
  readonly container: Container;
  readonly configMaps: ConfigMaps;
};

/** The agent in kube-system, where no operator puts one (calico.md §9); null: there is none. */
export function manifestAgentOf(agents: readonly Workload[], configMaps: ConfigMaps): ManifestAgent | null {
  const workload = agents.find(({ metadata }) => metadata.namespace === names.systemNamespace);
  const container = workload && containerNamed(workload, names.nodeContainer);
  return workload && container ? { workload, container, configMaps } : null;
}

/** Where Calico keeps its data, by the agent's variables (calico.md §9 › Manifest KDD, Manifest etcd); null: neither is set. */
export function datastoreOf({ container, configMaps }: ManifestAgent): 'kubernetes' | 'etcd' | null {
  if (variableOf(container, 'DATASTORE_TYPE', configMaps) === 'kubernetes') return 'kubernetes';
  return variableOf(container, 'ETCD_ENDPOINTS', configMaps) === null ? null : 'etcd';
}

type ManifestRule = { readonly manifest: Manifest; matches(agent: ManifestAgent, hasTypha: boolean): boolean };

const manifestRules: readonly ManifestRule[] = [
  {
    manifest: 'canal-etcd',
    matches: (agent) => agent.workload.metadata.name.startsWith('canal') && datastoreOf(agent) === 'etcd',
  },
  { manifest: 'canal', matches: ({ workload }) => workload.metadata.name.startsWith('canal') },
  { manifest: 'calico-etcd', matches: (agent) => datastoreOf(agent) === 'etcd' },
  {
    manifest: 'policy-only',
    matches: ({ container, configMaps }) =>
      variableOf(container, 'CALICO_NETWORKING_BACKEND', configMaps) === 'none' &&
      variableOf(container, 'CALICO_MANAGE_CNI', configMaps) === 'false',
  },
  { manifest: 'calico-typha', matches: (_agent, hasTypha) => hasTypha },
  {
    manifest: 'calico-bpf',
    matches: ({ container, configMaps }) => variableOf(container, 'FELIX_BPFENABLED', configMaps) === 'true',
  },
  {
    manifest: 'calico-vxlan',
    matches: ({ container, configMaps }) =>
      variableOf(container, 'CALICO_NETWORKING_BACKEND', configMaps) === 'vxlan' ||
      configMaps.get('calico-config')?.calico_backend === 'vxlan',
  },
];

/** The public manifest that the installation was made from (calico.md §9 › Which KDD file). */
export function manifestOf(agent: ManifestAgent, hasTypha: boolean): Manifest {
  return manifestRules.find(({ matches }) => matches(agent, hasTypha))?.manifest ?? 'calico';
}
