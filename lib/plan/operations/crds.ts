import { type ObjectRef, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { contains } from '../objects/contains.ts';
import { isMadeHere, removalOfAll } from '../objects/made-here.ts';
import { mayBeDefined } from '../objects/may-be-defined.ts';
import { objectOf } from '../objects/objects.ts';
import { broughtByOperator, definitionsBrought, definitionsOf, requiredRelease } from '../objects/release-objects.ts';
import type { OperationDefinition, PlanContext, UndoDefinition } from '../operation.ts';
import { at, awaited, removedOnceEmpty, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, listOf, text } from '../pins/pattern.ts';

function definitions(context: PlanContext) {
  const found = definitionsOf(requiredRelease(context));
  if (found === null) throw new Error('This release brings its definitions in another way.');
  return found;
}

/** What the rest of the journey writes. */
const writtenNext: ObjectRef[] = [resources.installations, resources.apiServers, resources.felixConfigurations].map(
  ({ plural, group }) => ({ resource: resources.customResourceDefinitions, name: `${plural}.${group}` }),
);

/**
 * The kinds of Calico and of its operator. Server-side, because the largest exceeds what a client keeps of what it applied, and with force,
 * because an operator with `-manage-crds` owns the same fields (calico.md §1.2).
 */
export const crds = defineOperation({
  id: 'crds',
  title: (context) => `Define the ${definitions(context).targets.length} kinds of Calico and its operator`,
  why: 'Nothing of Calico can be written before the API server knows its kinds. They come first, so that no field of this release is dropped.',
  whenPaused: 'Kinds may be there that nobody uses yet. Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => definitionsOf(requiredRelease(context)) !== null,
  settled: (context) => {
    const { objects, targets } = definitions(context);
    return targets.every((target, index) => contains(objectOf(context.before, target), withoutMarks(objects[index])));
  },
  mayWrite: ({ act }) => {
    const targets = act.kind === 'apply-manifest' ? act.targets : [];
    return {
      step: {
        act: { kind: 'apply-manifest', manifest: aManifest, targets: listOf(aDefinition), force: true },
        done: { kind: 'established', targets: exactly(targets) },
      },
      undo: either(null, undoneBy('definitions', removedOnceEmpty(someOf(targets)))),
    };
  },
  needs: ({ definedGroups, definitions }) => [
    rule(resources.customResourceDefinitions, ['create', 'list', 'watch']),
    rule(resources.customResourceDefinitions, ['get', 'patch', 'delete'], { names: [...definitions] }),
    // Before a definition goes, what is left of its kind is looked at; deleting it deletes that.
    ...definedGroups.map((group) => ({ group, resource: '*', verbs: ['list'] })),
  ],
  reads: (context) =>
    definitions(context).targets.flatMap((target) => (isMadeHere(context, target) ? [{ target, paths: [] }] : [])),
  act: (context) => {
    const { manifest, targets } = definitions(context);
    return { kind: 'apply-manifest', manifest, targets, force: true };
  },
  done: (context) => ({ kind: 'established', targets: definitions(context).targets }),
  undo: (context) => withoutThem(context, definitions(context).targets),
  usualSeconds: 5,
  deadlineSeconds: 120,
});

/** OpenShift’s operator brings its kinds itself: there is nothing to apply, and as much to take back. */
export const crdsBrought: OperationDefinition = {
  ...crds,
  title: 'Wait until the operator has defined its kinds',
  why: 'OpenShift’s bundle has no definitions: the operator brings them when it starts. Nothing of Calico can be written before.',
  appliesTo: (context) => definitionsOf(requiredRelease(context)) === null,
  settled: () => false,
  reads: [],
  act: { kind: 'wait' },
  done: { kind: 'established', targets: writtenNext },
  undo: (context) => withoutThem(context, definitionsBrought(requiredRelease(context))),
  mayWrite: () => ({
    step: awaited({ kind: 'established', targets: exactly(writtenNext) }),
    undo: either(null, undoneBy('definitions', removedOnceEmpty(someOf(broughtByOperator)))),
  }),
};

const aManifest = { version: text(/^v\d/), file: text(/^[a-z][a-z-]*(\.yaml)?$/), sha256: text(/^[0-9a-f]{64}$/) };

const aDefinition: Fits = (value) =>
  exactly({ resource: resources.customResourceDefinitions, name: at(value, 'name') })(value) &&
  mayBeDefined(String(at(value, 'name')));

/** Each of them once, and at least one. */
function someOf(targets: readonly ObjectRef[]): Fits {
  return (value) => {
    const names = new Set(targets.map(({ name }) => name));
    const isOne: Fits = (one) => aDefinition(one) && names.delete(String(at(one, 'name')));
    return Array.isArray(value) && value.length > 0 && value.every(isOne);
  };
}

function withoutThem(context: PlanContext, targets: readonly ObjectRef[]): UndoDefinition | null {
  const ours = targets.filter((target) => isMadeHere(context, target));
  if (ours.length === 0) return null;
  const together = removalOfAll(ours);
  return {
    title: `Remove the ${ours.length} kinds that came with this run`,
    act: {
      kind: 'sequence',
      steps: [{ act: { kind: 'wait' }, done: { kind: 'only-ours-left', within: ours } }, together],
    },
    done: together.done,
    phase: 'definitions',
    usualSeconds: 15,
    deadlineSeconds: 600,
  };
}

/** Annotations say which tool wrote the file, and are no part of a definition. */
function withoutMarks(object: Readonly<Record<string, unknown>> | undefined): unknown {
  const { metadata: _metadata, status: _status, ...definition } = object ?? {};
  return definition;
}
