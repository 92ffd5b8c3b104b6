import { releaseAtLeast } from './versions.ts';

/** A value of the chart tigera-operator that moved in a release. Paths are dotted. */
export type MovedValue = {
  readonly from: string;
  readonly to: string;
  readonly since: string;
  readonly source: string;
  readonly read: string;
};

const read = '2026-11-23';

export const movedValues: readonly MovedValue[] = [
  {
    from: 'kubeletVolumePluginPath',
    to: 'installation.kubeletVolumePluginPath',
    since: 'v3.31.0',
    source: 'RN v3.31.0; calico.md §1.3',
    read,
  },
];

/** The values that an upgrade moves. */
export function movedBetween(from: string, to: string): readonly MovedValue[] {
  return movedValues.filter(({ since }) => releaseAtLeast(from, since) === 'no' && releaseAtLeast(to, since) === 'yes');
}

/** A value that each chart sets to its own release; a value set by the user would keep the old release. */
export type PinnedValue = {
  readonly path: string;
  readonly release: 'operator' | 'calico';
  readonly source: string;
  readonly read: string;
};

export const pinnedValues: readonly PinnedValue[] = [
  { path: 'tigeraOperator.version', release: 'operator', source: 'calico.md §1.3', read },
  { path: 'calicoctl.tag', release: 'calico', source: 'calico.md §1.3', read },
];

/** The chart's defaults that are equal in all releases of the table (calico.md §1.3), shown beside changed values. */
export const chartDefaults: Readonly<Record<string, string | number | boolean>> = {
  'installation.enabled': true,
  'installation.kubernetesProvider': '',
  'installation.kubeletVolumePluginPath': 'None',
  'apiServer.enabled': true,
  'goldmane.enabled': true,
  'whisker.enabled': true,
  'defaultFelixConfiguration.enabled': false,
  manageCRDs: true,
  'tigeraOperator.image': 'tigera/operator',
  'tigeraOperator.registry': 'quay.io',
  'calicoctl.image': 'quay.io/calico/ctl',
  'kubernetesServiceEndpoint.host': '',
  'kubernetesServiceEndpoint.port': '6443',
};
