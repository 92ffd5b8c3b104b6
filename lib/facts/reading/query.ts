import { isKubeError, type KubeObject, type MissingRule, type ObjectMetadata } from '#lib/kube/index.ts';
import type { ObjectRef } from '#lib/spec/index.ts';
import type { Reading } from './reading.ts';
import type { DiscoveryReading, Fold, Listing, Session } from './session.ts';

/**
 * Something that a collector reads, as data. All queries are registered by `enlist` before anything is read, so that folds over the same list share its
 * pages. The function that `enlist` returns reads.
 */
export type Query<T> = {
  readonly rules: readonly MissingRule[];
  enlist(session: Session): () => Promise<Reading<T>>;
};

/** One object by name. */
export function objectQuery(ref: ObjectRef): Query<KubeObject | null> {
  return { rules: [getRule(ref)], enlist: (session) => () => session.object(ref) };
}

/** One object that two APIs serve: the first that exists. */
export function oneOfTwins(...refs: readonly [ObjectRef, ObjectRef]): Query<KubeObject | null> {
  return {
    rules: refs.map(getRule),
    enlist: (session) => async () => {
      const first = await session.object(refs[0]);
      if (first.value !== null) return first;
      const second = await session.object(refs[1]);
      if (second.value !== null) return second;
      // The object does not exist if either API says so.
      const known = [first, second].find(({ missing }) => missing.length === 0);
      return known ?? first;
    },
  };
}

/** The result of a fold over all objects of a list. */
export function folded<T>(listing: Listing, start: () => Fold<T>): Query<T> {
  return {
    rules: listing.resources.map(({ group, plural }) => ({
      verb: 'list',
      group,
      resource: plural,
      ...(listing.namespace === undefined ? {} : { namespace: listing.namespace }),
    })),
    enlist: (session) => session.enlist(listing, start()),
  };
}

/** The value that is kept of an object; null: nothing. */
export type Picker<T> = (object: KubeObject | ObjectMetadata) => T | null;

/** The values that `pick` returns for the objects of a list. */
export function picked<T>(listing: Listing, pick: Picker<T>): Query<T[]> {
  return folded(listing, () => picking(pick));
}

/** A fold that collects the values that `pick` returns. */
export function picking<T>(pick: Picker<T>): Fold<T[]> {
  const values: T[] = [];
  return {
    each: (object) => {
      const value = pick(object);
      if (value !== null) values.push(value);
    },
    result: () => values,
  };
}

export const servedApis: Query<DiscoveryReading> = { rules: [], enlist: (session) => () => session.discovery() };

/** `gitVersion` of the API server; null: the source does not have it. */
export const serverVersion: Query<string | null> = {
  rules: [],
  enlist: (session) => async () => {
    try {
      const value = await session.kube.version(session.signal === undefined ? {} : { signal: session.signal });
      return { value, missing: [] };
    } catch (error) {
      if (!isKubeError(error) || error.code === 'aborted') throw error;
      return { value: null, missing: [{ kind: 'version', because: error.message }] };
    }
  },
};

function getRule({ resource, namespace, name }: ObjectRef): MissingRule {
  return {
    verb: 'get',
    group: resource.group,
    resource: resource.plural,
    ...(namespace === undefined ? {} : { namespace }),
    name,
  };
}
