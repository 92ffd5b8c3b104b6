import { type Fields, isRecord, mergePatch } from '#lib/base/records.ts';
import {
  apiVersionOf,
  type ManifestRef,
  type ObjectRef,
  objectId,
  resources,
  rewrittenByOperator,
} from '#lib/spec/index.ts';
import { withoutBookkeeping } from '../diff/without-bookkeeping.ts';
import type { Plan } from '../plan.ts';
import type { Act } from '../schema/act.ts';

/**
 * One object as the plan leaves it. `whole`: the plan writes all of it, so the repository gets it as it is. `patch`: somebody else's object, which
 * contains more than the plan changes; only these fields, to be merged (RFC 7396, which Kustomize applies to kinds whose schema it does not know; our
 * lists have no keys). A null field is removed. `gone`: the object is deleted.
 */
export type EndState = { target: ObjectRef; form: 'whole' | 'patch' | 'gone'; object: Fields };

/** What the plan does beside objects: files of a release, values of a Helm release, instructions. */
export type BesideObjects =
  | { kind: 'manifest'; manifest: ManifestRef }
  | { kind: 'helm'; release: string; namespace: string; set: Record<string, string> }
  | { kind: 'instruct'; text: string };

/**
 * The end state of every object that the plan changes, also by steps that are done already, so that it can be shown before a run and after it. In the
 * order of first write. Never a Secret, and nothing that the server or the operator writes by itself.
 */
export function endStateOf({ operations }: Pick<Plan, 'operations'>): { objects: EndState[]; beside: BesideObjects[] } {
  const written = new Map<string, EndState>();
  const beside: BesideObjects[] = [];
  const put = (target: ObjectRef, form: EndState['form'], object: Fields) => {
    if (target.resource.kind !== resources.secrets.kind) written.set(objectId(target), { target, form, object });
  };
  const follow = (act: Act): void => {
    switch (act.kind) {
      case 'apply':
      case 'create':
      case 'recreate':
        put(act.target, 'whole', act.body);
        return;
      case 'merge-patch': {
        const before = written.get(objectId(act.target));
        if (before?.form === 'whole') put(act.target, 'whole', mergePatch(before.object, act.body) as Fields);
        else put(act.target, 'patch', afterwards(before?.form === 'patch' ? before.object : {}, act.body) as Fields);
        return;
      }
      case 'delete':
        put(act.target, 'gone', {});
        return;
      case 'delete-all':
        for (const target of act.targets) put(target, 'gone', {});
        return;
      case 'sequence':
        for (const step of act.steps) follow(step.act);
        return;
      case 'apply-manifest':
        beside.push({ kind: 'manifest', manifest: act.manifest });
        return;
      case 'helm':
        if (act.verb === 'upgrade') beside.push({ ...act, kind: 'helm' });
        return;
      case 'instruct':
        beside.push({ kind: 'instruct', text: act.text });
        return;
      // Their writers write these again, with the UIDs of then.
      case 'adopt-fields':
      case 'remove-owner-references':
      case 'restore-owner-references':
      case 'journal':
      case 'wait':
      case 'verify':
    }
  };
  for (const { act } of operations) follow(act);
  return { objects: [...written.values()].map(asDocument).filter(hasContent), beside };
}

/** Two merge patches, one after the other, as one. Removed fields stay null. */
function afterwards(first: unknown, second: unknown): unknown {
  if (!isRecord(first) || !isRecord(second)) return second;
  const merged = new Map(Object.entries(first));
  for (const [key, value] of Object.entries(second)) merged.set(key, afterwards(merged.get(key), value));
  return Object.fromEntries(merged);
}

function asDocument({ target, form, object }: EndState): EndState {
  const { metadata, ...rest } = withoutBookkeeping(
    form === 'patch' ? withoutRewrites(target.resource.kind, object) : object,
  );
  const identity = { name: target.name, ...(target.namespace === undefined ? {} : { namespace: target.namespace }) };
  const { apiVersion: _version, kind: _kind, ...fields } = rest;
  return {
    target,
    form,
    object: {
      apiVersion: apiVersionOf(target.resource),
      kind: target.resource.kind,
      metadata: { ...identity, ...(isRecord(metadata) ? metadata : {}) },
      ...(form === 'gone' ? { $patch: 'delete' } : fields),
    },
  };
}

/** Leaves out fields that the operator writes back at once: a reconciler would fight it over `hostPorts: null`. */
function withoutRewrites(kind: string, fields: Fields, path: readonly string[] = []): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const at = [...path, key];
      if (value === null && rewrittenByOperator(kind, at, 'present')) return [];
      return [[key, isRecord(value) ? withoutRewrites(kind, value, at) : value]];
    }),
  );
}

function hasContent({ form, object }: EndState): boolean {
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = object;
  return form !== 'patch' || Object.keys(fields).length > 0 || Object.keys(metadata as Fields).length > 1;
}
