import { canonicalJson } from '#lib/base/records.ts';
import { type Facts, withObjects } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { policyRefs, resourceArgument } from '#lib/plan/index.ts';
import type { Choices, ObjectRef } from '#lib/spec/index.ts';
import { noCache, type ReadOptions } from '../reading.ts';

/**
 * Adds to the facts what a plan of the goal *policy* needs: the policy if it is there already, its namespace, and whether its kind is served. Other
 * goals get the facts unchanged. Rejects with KubeError `aborted` only.
 */
export async function withPolicyTarget(
  facts: Facts,
  choices: Choices,
  { use, cache = noCache, signal }: ReadOptions,
): Promise<Facts> {
  const refs = policyRefs({ facts, choices });
  if (refs.length === 0) return facts;
  const read = await cache.besides(facts, `policy ${canonicalJson(choices.policy)}`, () =>
    use(async ({ kube }) => {
      const [known, notServed] = await Promise.all([
        withObjects(facts, { kube, refs, signal }),
        unserved(kube, refs, signal),
      ]);
      if (notServed === null) return { facts: known };
      const { resources } = known;
      return { facts: { ...known, resources: { ...resources, apis: { ...resources.apis, notServed } } } };
    }),
  );
  return read.facts;
}

/** The objects whose kind is not served; null if that could not be read. */
async function unserved(kube: Kube, refs: readonly ObjectRef[], signal: AbortSignal): Promise<string[] | null> {
  // A dump says nothing of kinds that were left out of it.
  if (kube.source === 'dump') return null;
  const { resources, failing } = await kube.discover({ signal }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return { resources: [], failing: null };
  });
  if (failing === null) return null;
  const served = new Set(resources.map(resourceArgument));
  const away = new Set(failing.map(({ groupVersion }) => groupVersion.split('/')[0]));
  return refs
    .map(({ resource }) => resource)
    .filter((resource) => !away.has(resource.group) && !served.has(resourceArgument(resource)))
    .map(resourceArgument);
}
