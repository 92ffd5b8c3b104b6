import { type Dump, type Kube, KubeError } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import { kindIn } from './dump-of.ts';

/** Kinds that may not be read. `midway`: the refusal comes after the first object of a list. */
export type Refusal = { readonly kinds: readonly string[]; readonly midway: boolean };

/** A cluster with a dump's objects, which allows everything except reading these kinds. It does not serve kinds without objects. */
export function asLive(dump: Dump, { kinds, midway }: Refusal): Kube {
  const refused = new Set(kinds);
  const isRefused = ({ group, kind }: Resource) => refused.has(kindIn(group, kind));
  const forbidden = (verb: string, { group, plural }: Resource) =>
    new KubeError('forbidden', `You may not ${verb} ${plural}.`, {
      status: 403,
      rule: { verb, group, resource: plural },
    });
  async function* list<T>(resource: Resource, pages: () => AsyncIterable<T>): AsyncGenerator<T> {
    if (!isRefused(resource)) {
      yield* pages();
      return;
    }
    if (midway) {
      for await (const page of pages()) {
        yield page;
        break;
      }
    }
    throw forbidden('list', resource);
  }
  return {
    ...dump,
    source: 'live',
    get: async (ref, options) => {
      if (isRefused(ref.resource)) throw forbidden('get', ref.resource);
      return dump.get(ref, options);
    },
    list: (resource, options) => list(resource, () => dump.list(resource, { ...options, ...small(midway) })),
    listMetadata: (resource, options) =>
      list(resource, () => dump.listMetadata(resource, { ...options, ...small(midway) })),
    allowed: async (rules) => rules.map((rule) => ({ ...rule, allowed: true })),
    version: async () => 'v1.33.1',
  };
}

const small = (midway: boolean) => (midway ? { pageSize: 1 } : {});
