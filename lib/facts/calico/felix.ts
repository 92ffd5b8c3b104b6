import { felixOf, type KubeObject } from '#lib/kube/index.ts';
import type { Reading } from '../reading/reading.ts';
import { felixListing } from '../reading/sources.ts';
import { countingForms, type Forms, type InstallationTold, pickedInForms } from './forms.ts';

export type Felix = ReturnType<typeof felixOf> & { readonly object: KubeObject };

/** In both forms where a dump holds both: `felixConfigurations` says which of them counts. */
export const felixObjects = pickedInForms(felixListing, (object) => object as KubeObject);

/**
 * The FelixConfigurations of this installation, each name once; every fact about them starts here, so that none uses what another denies.
 * The datastore's form goes first: the operator's annotations are on it. Where Calico keeps its data in etcd, what lies in that form is a
 * leftover that no agent reads, and only what Calico's own API or calicoctl (`projectcalico.org/v3`) shows counts (calico.md §9).
 */
export function felixConfigurations(
  read: Reading<Forms<readonly KubeObject[]>>,
  facts: InstallationTold,
): Reading<readonly Felix[]> {
  const { value, missing } = countingForms(read, facts);
  return { value: value.map((object) => ({ ...felixOf(object), object })), missing };
}
