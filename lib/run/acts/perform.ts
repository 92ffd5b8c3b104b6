import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { type Act, markedAsMade } from '#lib/plan/index.ts';
import { apiVersionOf, type ObjectRef, rewrittenByOperator } from '#lib/spec/index.ts';
import { mergeHolds } from './fields.ts';
import { isHelmDone, runHelm } from './run-helm.ts';

/** Acts that write one object. The executor handles `sequence`, waits and instructions. */
export type WritingAct = Extract<Act, { kind: 'apply' | 'merge-patch' | 'create' | 'recreate' | 'delete' | 'helm' }>;

/** Whether `perform` carries out this act. */
export function isWriting(act: Act): act is WritingAct {
  return (
    act.kind === 'apply' ||
    act.kind === 'merge-patch' ||
    act.kind === 'create' ||
    act.kind === 'recreate' ||
    act.kind === 'delete' ||
    act.kind === 'helm'
  );
}

/**
 * Performs an act, or asks the server for its result in a dry run. Returns the object afterwards; null if it is gone or is more than one object.
 * Repeating a finished act changes nothing, on which recovery relies; `create` and the deletion of a created object need the journal for that
 * (engine/act.ts). `run`: the mark of a created object.
 */
export async function perform(
  kube: Kube,
  act: WritingAct,
  mode: 'act' | 'dry-run',
  signal?: AbortSignal,
  run?: string,
): Promise<KubeObject | null> {
  const options = { ...(mode === 'dry-run' ? { dryRun: 'all' as const } : {}), ...(signal ? { signal } : {}) };
  switch (act.kind) {
    case 'apply':
      return kube.apply(act.target.resource, asObject(act.target, act.body), { ...options, force: act.force });
    case 'merge-patch':
      return kube.patch(act.target, { type: 'merge', body: act.body }, options);
    case 'create':
      return kube.create(act.target.resource, asObject(act.target, markedAsMade(act.body, run)), options);
    case 'recreate':
      try {
        return await kube.create(act.target.resource, asObject(act.target, act.body), options);
      } catch (error) {
        if (!isKubeError(error, 'already-exists')) throw error;
        return kube.get(act.target, options);
      }
    case 'delete':
      try {
        await kube.delete(act.target, { ...options, propagation: act.propagation });
      } catch (error) {
        if (!isKubeError(error, 'not-found')) throw error;
      }
      return null;
    case 'helm':
      await runHelm(kube, act, mode, signal);
      return null;
  }
}

/** Separate deletions of objects that go together: the next process skips those that an interrupted one deleted. */
export function deletions({ targets, propagation }: Extract<Act, { kind: 'delete-all' }>): WritingAct[] {
  return targets.map((target) => ({ kind: 'delete', target, propagation }));
}

/** Whether the act's effect exists, so that recovery need not repeat it. Fields that the operator rewrites do not count. */
export async function isPerformed(kube: Kube, act: WritingAct, signal?: AbortSignal): Promise<boolean> {
  if (act.kind === 'helm') return isHelmDone(kube, act, signal);
  const live = await kube.get(act.target, signal ? { signal } : {});
  switch (act.kind) {
    case 'delete':
      return live === null || live.metadata.deletionTimestamp !== undefined;
    case 'create':
    case 'recreate':
      return live !== null;
    default:
      return live !== null && mergeHolds(live, withoutRewrites(act.target.resource.kind, act.body));
  }
}

/** The body without fields that the operator rewrites; unchanged if nothing else would be left. */
function withoutRewrites(kind: string, body: Record<string, unknown>): Record<string, unknown> {
  const ownFields = fieldsWithoutRewrites(kind, body, []);
  return Object.keys(ownFields).length > 0 ? ownFields : body;
}

function fieldsWithoutRewrites(
  kind: string,
  body: Record<string, unknown>,
  above: readonly string[],
): Record<string, unknown> {
  const remaining: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(body)) {
    const path = [...above, key];
    if (rewrittenByOperator(kind, path, 'present')) continue;
    const inner = typeof value === 'object' && value !== null && !Array.isArray(value);
    const rest = inner ? fieldsWithoutRewrites(kind, value as Record<string, unknown>, path) : value;
    if (!inner || Object.keys(rest as object).length > 0 || Object.keys(value).length === 0) remaining[key] = rest;
  }
  return remaining;
}

function asObject({ resource, namespace, name }: ObjectRef, body: Record<string, unknown>): KubeObject {
  const { metadata, ...rest } = body as { metadata?: Record<string, unknown> };
  return {
    ...rest,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { ...metadata, name, ...(namespace ? { namespace } : {}) },
  };
}
