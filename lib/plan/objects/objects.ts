import { type Fields, mergePatch } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import type { Act } from '../schema/act.ts';
import { markedAsMade } from './marked-as-made.ts';

/** Objects by id, as read. Null: read and absent. No key: not read (lib/facts/schema.ts). */
export type Objects = Facts['resources']['objects'];
export type PlannedObject = Objects[string];

/** The object, null when it is absent, undefined when it was not read. */
export function objectOf(objects: Objects, ref: ObjectRef): PlannedObject | undefined {
  return objects[objectId(ref)];
}

/**
 * The objects after an act: later operations of the plan build on them. Defaults of the server or the operator are not predicted; nothing guards
 * those (lib/spec/objects/operator-rewrites.ts).
 */
export function afterAct(objects: Objects, act: Act): Objects {
  switch (act.kind) {
    case 'merge-patch':
    case 'apply':
      return replaced(objects, act.target, mergePatch(objectOf(objects, act.target) ?? shell(act.target), act.body));
    case 'recreate':
      return replaced(objects, act.target, act.body);
    case 'create':
      return replaced(objects, act.target, markedAsMade(act.body));
    case 'apply-manifest':
      // Only the existence of the file's objects is known: the act does not contain them, and what was read of them is out of date.
      return act.targets.reduce((known, target) => replaced(known, target, {}), objects);
    case 'delete':
    case 'delete-all':
      return { ...objects, ...Object.fromEntries(targetsOf(act).map((target) => [objectId(target), null])) };
    case 'sequence':
      return act.steps.reduce((known, step) => afterAct(known, step.act), objects);
    case 'adopt-fields':
    case 'remove-owner-references':
    case 'restore-owner-references':
    case 'helm':
    case 'instruct':
    case 'journal':
    case 'wait':
    case 'verify':
      return objects;
  }
}

/** Objects that an act writes, each once, in order. */
export function targetsOf(act: Act): ObjectRef[] {
  switch (act.kind) {
    case 'merge-patch':
    case 'apply':
    case 'create':
    case 'recreate':
    case 'delete':
      return [act.target];
    case 'apply-manifest':
    case 'delete-all':
    case 'adopt-fields':
      return act.targets;
    case 'remove-owner-references':
    case 'restore-owner-references':
      return act.dependants.map(({ target }) => target);
    case 'sequence': {
      const targets = new Map(act.steps.flatMap((step) => targetsOf(step.act)).map((ref) => [objectId(ref), ref]));
      return [...targets.values()];
    }
    case 'helm':
      // Only Helm knows what its chart contains. The field that the plan is about is in the Installation.
      return [{ resource: resources.installations, name: 'default' }];
    case 'instruct':
    case 'journal':
    case 'wait':
    case 'verify':
      return [];
  }
}

function replaced(objects: Objects, ref: ObjectRef, value: unknown): Objects {
  return { ...objects, [objectId(ref)]: { ...shell(ref), ...(value as Fields) } as PlannedObject & object };
}

function shell(ref: ObjectRef): Fields {
  const { group, version, kind } = ref.resource;
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name: ref.name, ...(ref.namespace === undefined ? {} : { namespace: ref.namespace }) },
  };
}
