import { felixOf, type KubeObject } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { notShownOfEtcd } from '../reading/coverage.ts';
import { picked } from '../reading/query.ts';
import { kindName, type Reading } from '../reading/reading.ts';
import { felixListing } from '../reading/sources.ts';
import type { Facts } from '../schema.ts';

export type Felix = ReturnType<typeof felixOf> & { readonly object: KubeObject };

/** In both forms where a dump holds both: `felixConfigurations` says which of them counts. */
export const felixObjects = picked(felixListing, (object) => object as KubeObject);

/**
 * The FelixConfigurations of this installation, each name once; every fact about them starts here, so that none uses what another denies.
 * The datastore's form goes first: the operator's annotations are on it. Where Calico keeps its data in etcd, what lies in that form is a
 * leftover that no agent reads, and only what Calico's own API or calicoctl (`projectcalico.org/v3`) shows counts (calico.md §9).
 */
export function felixConfigurations(
  { value, missing }: Reading<readonly KubeObject[]>,
  { method }: Facts['installation'],
): Reading<readonly Felix[]> {
  const inEtcd = method === 'manifest-etcd';
  const counting = inEtcd ? value.filter(({ apiVersion }) => apiVersion.startsWith('projectcalico.org/')) : value;
  const byName = new Map<string, Felix>();
  for (const object of counting) {
    const felix = { ...felixOf(object), object };
    if (!byName.has(felix.metadata.name)) byName.set(felix.metadata.name, felix);
  }
  const isHidden = inEtcd && counting.length === 0;
  return {
    value: [...byName.values()],
    missing: isHidden ? [notShownOfEtcd(kindName(resources.felixConfigurations))] : missing,
  };
}
