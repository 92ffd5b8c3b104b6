import { isRecord, same, valueAt } from '#lib/base/records.ts';
import type { Subject } from '#lib/facts/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Act, Guard } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { pathText } from './fields.ts';
import { isOwnRevision } from './run-helm.ts';

/**
 * What changed between the plan and the act, one subject for each field; empty if everything is as the plan read it (operations.md › Two consoles).
 * `begun`: an act that an earlier process may have carried out; its own values are no change.
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
    // An object that this act has deleted already is no change, while it still deletes others.
    if (object === null && begun !== null && deletes(begun, objectId(guard.target))) continue;
    const bodies = begun === null ? [] : bodiesOf(begun, objectId(guard.target));
    for (const field of guard.expected) {
      const found = valueAt(object, field.path);
      const expected = 'absent' in field ? undefined : field.equals;
      if (same(found ?? undefined, expected ?? undefined)) continue;
      if (bodies.some((body) => isAsWritten(found ?? null, valueAt(body, field.path)))) continue;
      if (begun !== null && (await isOwnRevision(kube, begun, guard.target, signal))) continue;
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

/** Compares with what was sent: the server adds defaults, drops empty values and may reorder lists of the same length. */
function isAsWritten(found: unknown, written: unknown): boolean {
  if (written === undefined) return false;
  if (Array.isArray(written) && Array.isArray(found))
    return found.length === written.length && written.every((one) => found.some((there) => isAsWritten(there, one)));
  if (isRecord(written) && isRecord(found))
    return Object.entries(written).every(([key, value]) =>
      isAsWritten(Object.hasOwn(found, key) ? found[key] : null, value),
    );
  return same(found, written) || (found === null && isEmpty(written));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) ? Object.values(value).every(isEmpty) : !value;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return 'unset';
  const json = JSON.stringify(value);
  return json.length > 200 ? `${json.slice(0, 200)} …` : json;
}

function deletes(act: Act, id: string): boolean {
  if (act.kind === 'sequence') return act.steps.some((step) => deletes(step.act, id));
  const deleted = act.kind === 'delete-all' ? act.targets : act.kind === 'delete' ? [act.target] : [];
  return deleted.some((target) => objectId(target) === id);
}

/** What an act, or a part of a sequence, writes to one object. */
function bodiesOf(act: Act, id: string): Record<string, unknown>[] {
  if (act.kind === 'sequence') return act.steps.flatMap((step) => bodiesOf(step.act, id));
  if (act.kind === 'apply-manifest')
    return act.targets
      .filter((target) => objectId(target) === id)
      .map(({ name, namespace }) => ({ metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }));
  if (act.kind === 'merge-patch' || act.kind === 'apply') return objectId(act.target) === id ? [act.body] : [];
  return [];
}
