import type { Subject } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Act, Guard } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText, sameJson, valueAt } from './fields.ts';

/**
 * What changed between the plan and the act, one subject a field; empty when all is as the plan read it (operations.md › Two consoles).
 * `begun`: the act, where it may have been carried out already by a process that is gone; its own values are then no change.
 */
export async function changedBetween(
  kube: Kube,
  guards: readonly Guard[],
  begun: Act | null,
  signal?: AbortSignal,
): Promise<Subject[]> {
  const changes: Subject[] = [];
  for (const guard of guards) {
    const object = await kube.get(guard.target, signal ? { signal } : {});
    const body =
      (begun?.kind === 'merge-patch' || begun?.kind === 'apply') && objectId(begun.target) === objectId(guard.target)
        ? begun.body
        : null;
    for (const field of guard.expected) {
      const found = valueAt(object, field.path);
      const expected = 'absent' in field ? undefined : field.equals;
      if (sameJson(found ?? undefined, expected ?? undefined)) continue;
      const written = body === null ? undefined : valueAt(body, field.path);
      if (written !== undefined && sameJson(found ?? null, written)) continue;
      changes.push({
        kind: guard.target.resource.kind,
        namespace: guard.target.namespace ?? null,
        name: guard.target.name,
        detail: `${pathText(field.path)} was ${text(expected)} when the plan was made and is ${text(found)} now`,
      });
    }
  }
  return changes;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return 'unset';
  const json = JSON.stringify(value);
  return json.length > 200 ? `${json.slice(0, 200)} …` : json;
}
