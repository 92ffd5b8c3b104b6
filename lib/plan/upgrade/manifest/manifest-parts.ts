import { type Fields, isRecord, joinFields } from '#lib/base/records.ts';
import { type ChangeByHand, changesByHand, withChanges } from '#lib/checks/index.ts';
import { type ObjectRef, objectId, publishedPlaceholder, resources } from '#lib/spec/index.ts';
import { write } from '../../define-operation.ts';
import { inversePatch } from '../../diff/inverse-patch.ts';
import { withoutBookkeeping } from '../../diff/without-bookkeeping.ts';
import { fieldAt, patchAt, writtenFields } from '../../objects/field.ts';
import { removal } from '../../objects/made-here.ts';
import { objectOf, type PlannedObject } from '../../objects/objects.ts';
import { cannotPlan, refuseMasked } from '../../objects/refuse-masked.ts';
import { refOf, requiredRelease } from '../../objects/release-objects.ts';
import type { PlanContext } from '../../operation.ts';
import type { Act } from '../../schema/act.ts';
import type { Condition } from '../../schema/condition.ts';
import { objectsOfManifest } from './manifest-file.ts';

/** One object of the new file: the body that is applied and the fields that are taken out. `live`: the object in the cluster; null: there is none. */
export type ManifestPart = {
  readonly target: ObjectRef;
  readonly live: PlannedObject;
  readonly body: Fields;
  readonly changes: readonly ChangeByHand[];
  /** Fields of the live object that go, outside of lists. They need a patch of their own, since server-side apply leaves fields of other managers. */
  readonly removed: readonly (readonly string[])[];
};

export type Step = { act: Act; done: Condition };

/**
 * The objects of the new file with the changes by hand that are kept, in the order of the file. Throws a PlanError for an object that was not read or has
 * masked values, since the way back could not restore it.
 */
export function manifestParts(context: PlanContext): readonly ManifestPart[] {
  const known = made.get(context);
  if (known !== undefined) return known;
  const parts = comparedParts(context);
  made.set(context, parts);
  return parts;
}

/** Several parts of one operation ask for the same comparison, which takes most of a plan's time. */
const made = new WeakMap<PlanContext, readonly ManifestPart[]>();

function comparedParts(context: PlanContext): ManifestPart[] {
  const { before, choices, running } = context;
  const old = new Map(running ? objectsOfManifest(running, context).map((one) => [objectId(refOf(one)), one]) : []);
  const parts = objectsOfManifest(requiredRelease(context), context).map((next): ManifestPart => {
    const target = refOf(next);
    const object = objectId(target);
    const live = objectOf(before, target);
    if (live === undefined) throw cannotPlan(object, 'could not be read, so manual changes of it are not known');
    const released = running === null ? null : (old.get(object) ?? next);
    const changes =
      live === null ? [] : changesByHand({ object, live, old: released, next, answers: choices.changes ?? {} });
    const body: Fields = { ...withChanges(next, changes) };
    for (const part of ['spec', 'data']) refuseMasked(object, live?.[part]);
    const placeholder = publishedPlaceholder.exec(JSON.stringify(body.data ?? {}))?.[0];
    if (placeholder !== undefined)
      throw cannotPlan(
        object,
        `would hold ${placeholder}, the placeholder of the published file. Write its value into the cluster's`,
      );
    return {
      target,
      live,
      body,
      changes,
      removed: live === null ? [] : removedFrom({ live, released, body, changes }),
    };
  });
  return parts;
}

type Removing = { live: object; released: Fields | null; body: Fields; changes: readonly ChangeByHand[] };

/** Paths of fields that the old file had or somebody added, and that the new body lacks. */
function removedFrom({ live, released, body, changes }: Removing): string[][] {
  const dropped = changes
    .filter(({ becomes, live: now }) => becomes === undefined && now !== undefined)
    .map(({ steps }) => [...steps]);
  const notReleased = released === null ? [] : keysDropped(released, body, live, []);
  const paths = [...dropped, ...notReleased].filter((path) => path.every((step) => !step.startsWith('[')));
  return [...new Map(paths.map((path) => [path.join('\n'), path])).values()];
}

function keysDropped(released: unknown, body: unknown, live: unknown, at: readonly string[]): string[][] {
  if (!isRecord(released) || !isRecord(live)) return [];
  return Object.entries(released).flatMap(([key, value]) => {
    const path = [...at, key];
    if (!Object.hasOwn(live, key) || (live[key] ?? null) === null) return [];
    if (!isRecord(body) || !Object.hasOwn(body, key)) return [path];
    return keysDropped(value, body[key], live[key], path);
  });
}

/** The writes of one object, each with the condition that shows its effect. */
export function stepsFor({ target, body, removed }: ManifestPart): Step[] {
  const apply: Step = { act: { kind: 'apply', target, body, force: true }, done: isApplied(target, body) };
  return removed.length === 0
    ? [apply]
    : [
        apply,
        write(
          target,
          patchOf(removed, () => null),
        ),
      ];
}

/** The way back of one object: its earlier fields, or its deletion if there was none before. */
export function stepBack({ target, live, body, removed }: ManifestPart): Step {
  if (live === null) return removal(target);
  const earlier = patchOf(removed, (path) => fieldAt(live, path) ?? null);
  const patch = joinFields(inversePatch(live, writtenParts(body)), earlier);
  return { act: { kind: 'merge-patch', target, body: patch }, done: isApplied(target, patch) };
}

function patchOf(paths: readonly (readonly string[])[], value: (path: readonly string[]) => unknown): Fields {
  return paths.map((path) => patchAt(path, value(path))).reduce<Fields>(joinFields, {});
}

/** The body without apiVersion, kind, name and namespace, for a patch of an object that exists. */
function writtenParts({ apiVersion: _apiVersion, kind: _kind, metadata, ...fields }: Fields): Fields {
  const named = (['labels', 'annotations'] as const).flatMap((part) => {
    const value = fieldAt(metadata, [part]);
    return isRecord(value) ? [[part, value] as const] : [];
  });
  return { ...fields, ...(named.length > 0 && { metadata: Object.fromEntries(named) }) };
}

const workloads: ReadonlySet<string> = new Set([resources.daemonSets.kind, resources.deployments.kind]);

/** The condition that shows that `body` was written. The API server adds defaults within lists, so a workload is compared by its images and a Service without its ports. */
export function isApplied(target: ObjectRef, body: Fields): Condition {
  const { kind } = target.resource;
  if (!workloads.has(kind)) {
    const fields = writtenFields(body).filter(({ path }) => kind !== resources.services.kind || path[1] !== 'ports');
    return { kind: 'fields', target, fields };
  }
  const fields = ['containers', 'initContainers'].flatMap((key) => {
    const path = ['spec', 'template', 'spec', key];
    const list = fieldAt(body, path);
    return (Array.isArray(list) ? list : []).flatMap((container: unknown, index) => {
      const image = fieldAt(container, ['image']);
      return image === undefined ? [] : [{ path: [...path, `${index}`, 'image'], equals: image }];
    });
  });
  return { kind: 'fields', target, fields };
}

/** The workloads that must roll out: DaemonSets first, the agents among them, then Deployments. */
export function manifestWorkloads(context: PlanContext): ObjectRef[] {
  const found = objectsOfManifest(requiredRelease(context), context).map(refOf);
  return [resources.daemonSets, resources.deployments].flatMap(({ kind }) =>
    found.filter(({ resource }) => resource.kind === kind),
  );
}

/** What kubectl shows under READY for pods of these workloads, since the number of containers differs by file and release (spec › States and transitions). */
export function readyInWords(context: PlanContext): string {
  const ready = manifestWorkloads(context).flatMap((target) => {
    const containers = fieldAt(objectOf(context.before, target), ['spec', 'template', 'spec', 'containers']);
    return Array.isArray(containers) ? [`${target.name} ${containers.length}/${containers.length}`] : [];
  });
  return `READY is ${ready.join(', ')}`;
}

/** Objects that the new release no longer has and that the answers name in `remove`. Throws a PlanError for one with masked values. */
export function removedObjects(context: PlanContext): { target: ObjectRef; live: PlannedObject }[] {
  const removed = droppedObjects(context).filter(({ target }) => context.choices.remove?.includes(objectId(target)));
  for (const { target, live } of removed) refuseMasked(objectId(target), withoutBookkeeping(live));
  return removed;
}

function droppedObjects(context: PlanContext): { target: ObjectRef; live: PlannedObject }[] {
  const { running, before } = context;
  const coming = new Set(objectsOfManifest(requiredRelease(context), context).map((one) => objectId(refOf(one))));
  return (running ? objectsOfManifest(running, context) : []).flatMap((one) => {
    const target = refOf(one);
    const live = coming.has(objectId(target)) ? null : (objectOf(before, target) ?? null);
    return live === null ? [] : [{ target, live }];
  });
}
