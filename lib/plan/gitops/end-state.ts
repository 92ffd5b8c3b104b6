import { type Fields, isRecord, mergePatch } from '#lib/base/records.ts';
import {
  apiVersionOf,
  type ManifestRef,
  type ObjectRef,
  objectId,
  resources,
  rewrittenByOperator,
} from '#lib/spec/index.ts';
import type { Act } from '../act.ts';
import { withoutBookkeeping } from '../diff/without-bookkeeping.ts';
import type { Plan } from '../plan.ts';

/**
 * One object as the plan leaves it. `whole`: the plan writes all of it, so it belongs into the repository as it is. `patch`: somebody else wrote the object
 * and keeps more in it than the plan changes; only these fields, to be merged into theirs (RFC 7396, which Kustomize does with kinds whose schema it does not
 * know; no list of ours has keys). A field that is null goes away. `gone`: taken out.
 */
export type EndState = { target: ObjectRef; form: 'whole' | 'patch' | 'gone'; object: Fields };

/** What the plan does that is no object of its own: files of a release, values of a Helm release, instructions. */
export type BesideObjects =
  | { kind: 'manifest'; manifest: ManifestRef }
  | { kind: 'helm'; release: string; namespace: string; set: Record<string, string> }
  | { kind: 'instruct'; text: string };

/**
 * The end state of every object that the plan changes, steps that are done already included, so that it can be asked for before a run and after it. In the
 * order in which they are first written; never a Secret, and nothing that the server or the operator writes by itself.
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
      // Who wrote these writes them again, with the UIDs of then.
      case 'adopt-fields':
      case 'remove-owner-references':
      case 'restore-owner-references':
      case 'journal':
      case 'wait':
      case 'verify':
    }
  };
  for (const { act } of operations) follow(act);
  return { objects: [...written.values()].map(asDocument).filter(saysSomething), beside };
}

/** Two merge patches, one after the other, as one: what goes away stays null. */
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

/** A field that the operator writes back at once cannot be kept away by anybody: `hostPorts: null` would be fought over. */
function withoutRewrites(kind: string, fields: Fields, path: readonly string[] = []): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const at = [...path, key];
      if (value === null && rewrittenByOperator(kind, at, 'present')) return [];
      return [[key, isRecord(value) ? withoutRewrites(kind, value, at) : value]];
    }),
  );
}

function saysSomething({ form, object }: EndState): boolean {
  const { apiVersion: _version, kind: _kind, metadata, ...fields } = object;
  return form !== 'patch' || Object.keys(fields).length > 0 || Object.keys(metadata as Fields).length > 1;
}
