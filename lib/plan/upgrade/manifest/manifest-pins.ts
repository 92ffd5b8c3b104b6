import { type Fields, isRecord } from '#lib/base/records.ts';
import { apiVersionOf, manifestObjects, names, type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import { all } from '../../define-operation.ts';
import { fieldAt } from '../../objects/field.ts';
import { ownField, patched, removed, sequence, stepsOf } from '../../pins/parts.ts';
import { either, exactly, type Fits, fits, listOf, often, type Pattern } from '../../pins/pattern.ts';
import type { Act } from '../../schema/act.ts';
import type { Condition } from '../../schema/condition.ts';
import { isApplied } from './manifest-parts.ts';

/** What a plan file may write of an installation by manifest, as patterns: only objects with published names, in the forms that manifest-parts.ts makes. */

function refTo({ kind, named }: (typeof manifestObjects)[number]): Pattern {
  const resource: Resource = resources[kind];
  const name = either(...named);
  return resource.namespaced
    ? { resource: exactly(resource), namespace: names.systemNamespace, name }
    : { resource: exactly(resource), name };
}

const manifestRef: Fits = either(...manifestObjects.map(refTo));
export const manifestRefs: Fits = listOf(manifestRef);

/** The way there: objects are applied, fields taken out, or objects deleted. */
export const manifestWritten: Fits = (step) =>
  fits(ownField(step, 'act'), sequence(often(either(applied, patchedAgain, removed(manifestRef, 'Background'))))) &&
  donesOf(step);

/** The way back: earlier fields are written, objects deleted or created again, and the earlier release is awaited. */
export const manifestBack: Fits = (step) =>
  fits(ownField(step, 'act'), sequence(often(either(back, deleted, recreated, awaitedBack)))) && donesOf(step);

const donesOf = (step: unknown) =>
  fits(
    ownField(step, 'done'),
    exactly(all(...stepsOf(ownField(step, 'act')).map((one) => ownField(one, 'done') as Condition))),
  );

const applied: Fits = (step) => {
  const act = ownField(step, 'act');
  if (!fits(act, { kind: 'apply', target: manifestRef, body: isRecord, force: true })) return false;
  const { target, body } = act as Extract<Act, { kind: 'apply' }>;
  return isItself(target, body) && fits(ownField(step, 'done'), exactly(isApplied(target, body)));
};

/** A patch that only takes fields out. */
const patchedAgain: Fits = patched(manifestRef, (body) => isRecord(body) && hasOnlyNull(body));

function hasOnlyNull(body: Fields): boolean {
  return Object.values(body).every((value) => (isRecord(value) ? hasOnlyNull(value) : value === null));
}

const back: Fits = (step) => {
  const act = ownField(step, 'act');
  if (!fits(act, { kind: 'merge-patch', target: manifestRef, body: isRecord })) return false;
  const { target, body } = act as Extract<Act, { kind: 'merge-patch' }>;
  return fits(ownField(step, 'done'), exactly(isApplied(target, body)));
};

const deleted: Fits = either(removed(manifestRef, 'Background'), removed(manifestRef, 'Foreground'));

const recreated: Fits = (step) => {
  const act = ownField(step, 'act');
  if (!fits(act, { kind: 'recreate', target: manifestRef, body: isRecord })) return false;
  const { target, body } = act as Extract<Act, { kind: 'recreate' }>;
  return isItself(target, body) && fits(ownField(step, 'done'), exactly({ kind: 'exists', target }));
};

const awaitedBack: Fits = (step) =>
  fits(step, {
    act: { kind: 'wait' },
    done: { kind: 'upgraded', version: (value) => typeof value === 'string', workloads: manifestRefs },
  });

function isItself({ resource, namespace, name }: ObjectRef, body: Fields): boolean {
  return (
    body.apiVersion === apiVersionOf(resource) &&
    body.kind === resource.kind &&
    fieldAt(body, ['metadata', 'name']) === name &&
    fieldAt(body, ['metadata', 'namespace']) === namespace
  );
}
