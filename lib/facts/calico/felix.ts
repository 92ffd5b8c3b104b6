import { felixOf, type KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import type { Reading } from '../reading/reading.ts';
import { felixDefault, felixListing } from '../reading/sources.ts';
import { countingForms, type Forms, type InstallationRead, pickedInForms } from './forms.ts';

export type Felix = ReturnType<typeof felixOf> & { readonly object: KubeObject };

/** FelixConfigurations of both APIs; `felixConfigurations` decides which of them count. */
export const felixObjects = pickedInForms(felixListing, (object) => object as KubeObject);

/**
 * The FelixConfigurations that count, each name once. All facts about them come from here, so that no two contradict each other. The stored form comes
 * first, since the operator's annotations are on it. With etcd the stored form is a leftover that no agent reads, and only `projectcalico.org/v3` counts
 * (calico.md §9).
 */
export function felixConfigurations(
  read: Reading<Forms<readonly KubeObject[]>>,
  facts: InstallationRead,
): Reading<readonly Felix[]> {
  const { value, missing } = countingForms(read, facts);
  return { value: value.map((object) => ({ ...felixOf(object), object })), missing };
}

/** Queries for `defaultFelix`. */
export const felixReads = { felixObjects, felixDefault };

type FelixRead = {
  readonly felixObjects: Reading<Forms<readonly KubeObject[]>>;
  readonly felixDefault: Reading<KubeObject | null>;
};

/** FelixConfiguration `default`: from the list, else by its name, since an account may have the right to get it and not to list. */
export function defaultFelix(read: FelixRead, facts: InstallationRead): Reading<KubeObject | null> {
  const { value, missing } = felixConfigurations(read.felixObjects, facts);
  const found = value.find(({ metadata }) => metadata.name === names.felixConfiguration)?.object ?? null;
  const isReadByName = found === null && missing.length > 0 && facts.installation.method !== 'manifest-etcd';
  return isReadByName ? read.felixDefault : { value: found, missing };
}
