import { counted } from '#lib/base/words.ts';
import { conditionsOf, isTrue, type KubeObject } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** Every CustomResourceDefinition exists, and the API server serves its kind. */
export async function established(
  { targets }: Extract<Condition, { kind: 'established' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const looked = await Promise.all(
    targets.map(async (target) => ({ target, object: await kube.get(target, { signal }) })),
  );
  const open = looked.flatMap(({ target, object }) => {
    const detail = object === null ? 'it is not there' : complaintOf(object);
    return detail === null ? [] : [{ kind: target.resource.kind, namespace: null, name: target.name, detail }];
  });
  if (open.length > 0)
    return waiting(`the API server to serve ${open.length} of ${counted(targets.length, 'kind')}`, open.slice(0, 20));
  return met([
    { object: 'CustomResourceDefinition', path: 'status.conditions', value: `${targets.length} Established` },
  ]);
}

/** Why the API server does not serve a kind; null if it does. `NamesAccepted: False` has the reason where another definition uses the same names. */
function complaintOf(definition: KubeObject): string | null {
  const all = conditionsOf(definition);
  if (isTrue(all, 'Established')) return null;
  const refused = all.find(({ type, status }) => type === 'NamesAccepted' && status === 'False');
  return refused?.message ?? 'it is not established yet';
}
