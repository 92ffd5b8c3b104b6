import { type Fields, isRecord, joinFields } from '#lib/base/records.ts';
import { type ChangeByHand, changesByHand, withChanges } from '#lib/checks/index.ts';
import { type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { isMasked } from '#lib/text/index.ts';
import type { Act, Condition } from '../../act.ts';
import { write } from '../../define-operation.ts';
import { inversePatch } from '../../diff/inverse-patch.ts';
import { withoutBookkeeping } from '../../diff/without-bookkeeping.ts';
import { fieldAt, patchAt, writtenFields } from '../../objects/field.ts';
import { removal } from '../../objects/made-here.ts';
import { objectOf, type PlannedObject } from '../../objects/objects.ts';
import { refOf, requiredRelease } from '../../objects/release-objects.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';
import { objectsOfManifest } from './manifest-file.ts';

/** One object of the new file: what is written of it, and what of the old one goes beside. */
export type ManifestPart = {
  readonly target: ObjectRef;
  readonly live: PlannedObject;
  readonly body: Fields;
  readonly changes: readonly ChangeByHand[];
  /** Fields outside of lists that the cluster has and that go: server-side apply leaves what others own. */
  readonly removed: readonly (readonly string[])[];
};

export type Step = { act: Act; done: Condition };

/**
 * The objects of the new file with what is kept of people's changes, in the order of the file. Throws PlanError for one that was not read, or whose
 * values are masked: neither could be written or given back.
 */
export function manifestParts(context: PlanContext): readonly ManifestPart[] {
  const known = made.get(context);
  if (known !== undefined) return known;
  const parts = comparedParts(context);
  made.set(context, parts);
  return parts;
}

/** Whether it is settled, what it does, when it is done and how it is taken back all ask for the same, and comparing takes most of a plan's time. */
const made = new WeakMap<PlanContext, readonly ManifestPart[]>();

function comparedParts(context: PlanContext): ManifestPart[] {
  const { before, choices, running } = context;
  const old = new Map(running ? objectsOfManifest(running, context).map((one) => [objectId(refOf(one)), one]) : []);
  const parts = objectsOfManifest(requiredRelease(context), context).map((next): ManifestPart => {
    const target = refOf(next);
    const object = objectId(target);
    const live = objectOf(before, target);
    if (live === undefined) throw cannotPlan(object, 'could not be read, so what people changed in it is not known');
    const released = running === null ? null : (old.get(object) ?? next);
    const changes =
      live === null ? [] : changesByHand({ object, live, old: released, next, answers: choices.changes ?? {} });
    const body: Fields = { ...withChanges(next, changes) };
    for (const part of ['spec', 'data']) refuseMasked(object, live?.[part]);
    const placeholder = /<[A-Z_]+>/.exec(JSON.stringify(body.data ?? {}))?.[0];
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

function cannotPlan(object: string, because: string): PlanError {
  return new PlanError('goal.not-planned', `goal: ${object} ${because}, and plan again.`, ['goal']);
}

/** What was masked could not be given back. */
function refuseMasked(object: string, value: unknown): void {
  if (hasMasked(value))
    throw cannotPlan(
      object,
      'has a value that looks like a secret, which no plan may hold. Take it from a Secret (valueFrom)',
    );
}

function hasMasked(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasMasked);
  return isRecord(value) ? Object.values(value).some(hasMasked) : isMasked(value);
}

type Removing = { live: object; released: Fields | null; body: Fields; changes: readonly ChangeByHand[] };

/** What the old file had, or somebody added, and what is written has not. */
function removedFrom({ live, released, body, changes }: Removing): string[][] {
  const dropped = changes
    .filter(({ becomes, live: now }) => becomes === undefined && now !== undefined)
    .map(({ steps }) => [...steps]);
  const gone = released === null ? [] : keysGone(released, body, live, []);
  const paths = [...dropped, ...gone].filter((path) => path.every((step) => !step.startsWith('[')));
  return [...new Map(paths.map((path) => [path.join('\n'), path])).values()];
}

function keysGone(released: unknown, body: unknown, live: unknown, at: readonly string[]): string[][] {
  if (!isRecord(released) || !isRecord(live)) return [];
  return Object.entries(released).flatMap(([key, value]) => {
    const path = [...at, key];
    if (!Object.hasOwn(live, key) || (live[key] ?? null) === null) return [];
    if (!isRecord(body) || !Object.hasOwn(body, key)) return [path];
    return keysGone(value, body[key], live[key], path);
  });
}

/** The writes of one object, each with what shows that it was taken in. */
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

/** Takes the object back to what it was; one that was not there goes. */
export function stepBack({ target, live, body, removed }: ManifestPart): Step {
  if (live === null) return removal(target);
  const earlier = patchOf(removed, (path) => fieldAt(live, path) ?? null);
  const patch = joinFields(inversePatch(live, writtenParts(body)), earlier);
  return { act: { kind: 'merge-patch', target, body: patch }, done: isApplied(target, patch) };
}

function patchOf(paths: readonly (readonly string[])[], value: (path: readonly string[]) => unknown): Fields {
  return paths.map((path) => patchAt(path, value(path))).reduce<Fields>(joinFields, {});
}

/** What is written of an object that is there: never who it is. */
function writtenParts({ apiVersion: _apiVersion, kind: _kind, metadata, ...fields }: Fields): Fields {
  const named = (['labels', 'annotations'] as const).flatMap((part) => {
    const value = fieldAt(metadata, [part]);
    return isRecord(value) ? [[part, value] as const] : [];
  });
  return { ...fields, ...(named.length > 0 && { metadata: Object.fromEntries(named) }) };
}

const workloads: ReadonlySet<string> = new Set([resources.daemonSets.kind, resources.deployments.kind]);

/** Lists of a workload and of a Service come back with the server's defaults in them: of the one the images tell, of the other the rest. */
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

/** The agents first, then what else must roll out. */
export function manifestWorkloads(context: PlanContext): ObjectRef[] {
  const found = objectsOfManifest(requiredRelease(context), context).map(refOf);
  return [resources.daemonSets, resources.deployments].flatMap(({ kind }) =>
    found.filter(({ resource }) => resource.kind === kind),
  );
}

/** What kubectl shows under READY, of the pods that are written: how many containers they have differs by file and release (spec › States and transitions). */
export function readyInWords(context: PlanContext): string {
  const ready = manifestWorkloads(context).flatMap((target) => {
    const containers = fieldAt(objectOf(context.before, target), ['spec', 'template', 'spec', 'containers']);
    return Array.isArray(containers) ? [`${target.name} ${containers.length}/${containers.length}`] : [];
  });
  return `READY is ${ready.join(', ')}`;
}

/** What the release that runs had, the new one does not, and somebody asked to delete. Throws PlanError for one whose values are masked. */
export function removedObjects(context: PlanContext): { target: ObjectRef; live: PlannedObject }[] {
  const removed = goneObjects(context).filter(({ target }) => context.choices.remove?.includes(objectId(target)));
  for (const { target, live } of removed) refuseMasked(objectId(target), withoutBookkeeping(live));
  return removed;
}

function goneObjects(context: PlanContext): { target: ObjectRef; live: PlannedObject }[] {
  const { running, before } = context;
  const coming = new Set(objectsOfManifest(requiredRelease(context), context).map((one) => objectId(refOf(one))));
  return (running ? objectsOfManifest(running, context) : []).flatMap((one) => {
    const target = refOf(one);
    const live = coming.has(objectId(target)) ? null : (objectOf(before, target) ?? null);
    return live === null ? [] : [{ target, live }];
  });
}
