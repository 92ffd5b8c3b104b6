import { felixOf, type KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Reading } from '../reading/reading.ts';
import { felixDefault, felixListing } from '../reading/sources.ts';
import { countingForms, type Forms, type InstallationRead, pickedInForms } from './forms.ts';

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
  facts: InstallationRead,
): Reading<readonly Felix[]> {
  const { value, missing } = countingForms(read, facts);
  return { value: value.map((object) => ({ ...felixOf(object), object })), missing };
}

/** What `defaultFelix` is told from. */
export const felixReads = { felixObjects, felixDefault };

type FelixRead = {
  readonly felixObjects: Reading<Forms<readonly KubeObject[]>>;
  readonly felixDefault: Reading<KubeObject | null>;
};

/** FelixConfiguration `default`: from the list that every fact about them uses; asked for by its name, it is told to those who may not list them. */
export function defaultFelix(read: FelixRead, facts: InstallationRead): Reading<KubeObject | null> {
  const { value, missing } = felixConfigurations(read.felixObjects, facts);
  const found = value.find(({ metadata }) => metadata.name === names.felixConfiguration)?.object ?? null;
  const mayBeAsked = found === null && missing.length > 0 && facts.installation.method !== 'manifest-etcd';
  return mayBeAsked ? read.felixDefault : { value: found, missing };
}
