import { resources } from '#lib/spec/index.ts';
import { notShownOfEtcd } from '../reading/coverage.ts';
import { folded, type Picker, picking, type Query } from '../reading/query.ts';
import { kindName, type Reading } from '../reading/reading.ts';
import type { Fold, Listing } from '../reading/session.ts';
import type { Facts } from '../schema.ts';

/** How Calico was installed, and how much of that was read. */
export type InstallationRead = Pick<Facts, 'installation' | 'coverage'>;

/** Results over one of Calico's kinds. `any`: over each object once, in whichever form; `v3`: over objects of `projectcalico.org/v3` alone. */
export type Forms<T> = { readonly listing: Listing; readonly any: T; readonly v3: T; readonly hasV3: boolean };

const isV3 = (apiVersion: unknown) => typeof apiVersion === 'string' && apiVersion.startsWith('projectcalico.org/');

/** A query over a listing with `bothForms`, with a result for each form; `countingForms` chooses. */
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

/** A query over a listing with `bothForms`, with the values that `pick` returns in each form. */
export function pickedInForms<T>(listing: Listing, pick: Picker<T>): Query<Forms<T[]>> {
  return inForms(listing, () => picking(pick));
}

/**
 * The result that counts. With etcd, objects of `crd.projectcalico.org` are leftovers that no agent reads: only `projectcalico.org/v3` counts, and what it
 * does not show is unknown (calico.md §9). An empty list of that API means that there are none.
 */
export function countingForms<T>({ value, missing }: Reading<Forms<T>>, facts: InstallationRead): Reading<T> {
  const { method } = facts.installation;
  if (method !== 'manifest-etcd') {
    // If the agents were not read, Calico may use etcd: found objects count, and others may exist there.
    const agents = facts.coverage.installation.missing.filter(({ kind }) => kind === kindName(resources.daemonSets));
    const unread = method === 'unknown' && !value.hasV3 ? agents : [];
    return { value: value.any, missing: [...missing, ...unread] };
  }
  return {
    value: value.v3,
    missing: value.hasV3 ? missing : [notShownOfEtcd(kindName(value.listing.resources[0]))],
  };
}
