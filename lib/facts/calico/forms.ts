import { resources } from '#lib/spec/index.ts';
import { notShownOfEtcd } from '../reading/coverage.ts';
import { folded, type Picker, picking, type Query } from '../reading/query.ts';
import { kindName, type Reading } from '../reading/reading.ts';
import type { Fold, Listing } from '../reading/session.ts';
import type { Facts } from '../schema.ts';

/** How Calico was installed, and how far that was read. */
export type InstallationRead = Pick<Facts, 'installation' | 'coverage'>;

/** What a list of one of Calico's kinds comes to: of each object once, and of what Calico's own API or calicoctl shows alone. */
export type Forms<T> = { readonly listing: Listing; readonly any: T; readonly v3: T; readonly hasV3: boolean };

const isV3 = (apiVersion: unknown) => typeof apiVersion === 'string' && apiVersion.startsWith('projectcalico.org/');

/** A listing with `bothForms`, each of its forms in a fold of its own: `countingForms` says which of them counts. */
export function inForms<T>(listing: Listing, start: () => Fold<T>): Query<Forms<T>> {
  return folded(listing, () => {
    const any = start();
    const v3 = start();
    const seen = new Set<string>();
    let hasV3 = false;
    return {
      each: (object) => {
        if ('apiVersion' in object && isV3(object.apiVersion)) {
          hasV3 = true;
          v3.each(object);
        }
        const name = `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
        if (seen.has(name)) return;
        seen.add(name);
        any.each(object);
      },
      listed: (apiVersion) => {
        hasV3 ||= isV3(apiVersion);
      },
      result: () => ({ listing, any: any.result(), v3: v3.result(), hasV3 }),
    };
  });
}

/** Each object of such a list through `pick`. */
export function pickedInForms<T>(listing: Listing, pick: Picker<T>): Query<Forms<T[]>> {
  return inForms(listing, () => picking(pick));
}

/**
 * What counts of it: where Calico keeps its data in etcd, the form of the API's own datastore (`crd.projectcalico.org`) is a leftover that no agent
 * reads, and what Calico's own API or calicoctl does not show is not known (calico.md §9). A list of theirs that is empty shows that there are none.
 */
export function countingForms<T>({ value, missing }: Reading<Forms<T>>, facts: InstallationRead): Reading<T> {
  const { method } = facts.installation;
  if (method !== 'manifest-etcd') {
    // Without the agents nothing says that it is not in etcd: what is there counts, and what is not may be elsewhere.
    const agents = facts.coverage.installation.missing.filter(({ kind }) => kind === kindName(resources.daemonSets));
    const untold = method === 'unknown' && !value.hasV3 ? agents : [];
    return { value: value.any, missing: [...missing, ...untold] };
  }
  return {
    value: value.v3,
    missing: value.hasV3 ? missing : [notShownOfEtcd(kindName(value.listing.resources[0]))],
  };
}
