import type { KubeObject, ObjectMetadata } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { Query } from '../reading/query.ts';
import type { Missing, Reading } from '../reading/reading.ts';
import { podListing } from '../reading/sources.ts';

/** A pod that may be read whole. Of pods with the same `group` only the oldest is read. `created`: RFC 3339. */
export type PodOfInterest = { readonly group: string; readonly created: string };

/** Pods that are read whole at the most; more are reported as missing. */
const mostRead = 60;

/** Whole pods, chosen by the metadata of all pods. */
export function podsOfInterest<T extends PodOfInterest>(
  pick: (pod: KubeObject | ObjectMetadata) => T | null,
): Query<readonly { readonly of: T; readonly pod: KubeObject }[]> {
  return {
    rules: ['list', 'get'].map((verb) => ({ verb, group: '', resource: 'pods' })),
    enlist: (session) => {
      const found = new Map<string, { of: T; namespace: string; name: string }>();
      const fetch = session.enlist(podListing, {
        each: (pod) => {
          const of = pick(pod);
          const { namespace = '', name = '' } = pod.metadata;
          const known = of && found.get(of.group);
          if (of && (!known || of.created < known.of.created)) found.set(of.group, { of, namespace, name });
        },
        result: () => null,
      });
      return async () => {
        const { missing } = await fetch();
        const wanted = [...found.values()];
        const read = await Promise.all(
          wanted.slice(0, mostRead).map(async ({ of, namespace, name }) => {
            const one: Reading<KubeObject | null> = await session.object({ resource: resources.pods, namespace, name });
            return { of, one };
          }),
        );
        const beyond: Missing[] =
          wanted.length > mostRead
            ? [{ kind: 'Pod', because: `${wanted.length - mostRead} more were found and not read` }]
            : [];
        return {
          value: read.flatMap(({ of, one }) => (one.value === null ? [] : [{ of, pod: one.value }])),
          missing: [...missing, ...read.flatMap(({ one }) => one.missing), ...beyond],
        };
      };
    },
  };
}
