import { choosePartners, type Partners } from '../partners/partners.ts';
import { probeNames } from './probe-names.ts';
import type { ProbeSettings } from './settings.ts';

export type PodKind = 'host' | 'pod' | 'images';

/** The kinds of pods, of which each node gets one each. */
export function podKindsOf({ podNetwork, images = [] }: Pick<ProbeSettings, 'podNetwork' | 'images'>): PodKind[] {
  return [
    'host',
    ...(podNetwork === 'there' ? (['pod'] as const) : []),
    ...(images.length > 0 ? (['images'] as const) : []),
  ];
}

/** The kind of pod of a DaemonSet, by its name; each group of nodes has its own DaemonSet for the host. Undefined: it is not the probe's. */
export function podKindOf(daemonSet: string): PodKind | undefined {
  const first = daemonSet.replace(/-\d+$/, '');
  return (['host', 'pod', 'images'] as const).find((podKind) => probeNames[podKind] === first);
}

/** The indexes in `addresses` of the nodes on which the DaemonSet has a pod. */
export function nodeIndexesOf(
  daemonSet: string,
  settings: Pick<ProbeSettings, 'addresses' | 'partners' | 'select'>,
): readonly number[] {
  const group = Number(/-(\d+)$/.exec(daemonSet)?.[1] ?? 1) - 1;
  return groupsOf(podKindOf(daemonSet) ?? 'host', settings)[group] ?? [];
}

type Grouped = Pick<ProbeSettings, 'addresses' | 'partners'>;

/** Who tests with whom: as the settings say, else all as one group. */
export function partnersAmong({ addresses, partners }: Grouped): Partners {
  return partners ?? choosePartners(addresses.map((address) => ({ address })));
}

/**
 * The indexes of the nodes on which each DaemonSet of this kind has a pod. Nodes that test with nobody belong to the first. One DaemonSet is enough
 * where all nodes get the same pod, unless it names its nodes: each change of its status writes all of the names again (etcd-history.ts).
 */
export function groupsOf(
  podKind: PodKind,
  settings: Grouped & Pick<ProbeSettings, 'select'>,
): readonly (readonly number[])[] {
  const { groups, others } = partnersAmong(settings);
  if (podKind !== 'host' && settings.select !== 'names') return [[...groups.flat(), ...others]];
  return groups.map((group, index) => [...group, ...(index === 0 ? others : [])]);
}
