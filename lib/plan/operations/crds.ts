import { sha256Hex } from '#lib/base/sha256.ts';
import { agreeing, counted, inList, thousands } from '#lib/base/words.ts';
import { type ManifestObject, type ManifestRef, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { contains } from '../objects/contains.ts';
import { isMadeHere, removalOfAll } from '../objects/made-here.ts';
import { mayBeDefined } from '../objects/may-be-defined.ts';
import { objectOf } from '../objects/objects.ts';
import { broughtByOperator, definitionsBrought, definitionsOf, requiredRelease } from '../objects/release-objects.ts';
import type { OperationDefinition, PlanContext, UndoDefinition } from '../operation.ts';
import { awaited, ownField, removedOnceEmpty, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, listOf, text } from '../pins/pattern.ts';
import { definitionsByHelm } from '../upgrade/helm/installed-by-helm.ts';

function definitions(context: PlanContext) {
  const found = definitionsOf(requiredRelease(context));
  if (found === null) throw new Error('This release brings its definitions in another way.');
  return found;
}

/** The kinds that later operations write: they must be served. */
const writtenNext: ObjectRef[] = [resources.installations, resources.apiServers, resources.felixConfigurations].map(
  ({ plural, group }) => ({ resource: resources.customResourceDefinitions, name: `${plural}.${group}` }),
);

/**
 * Applies the kinds of Calico and its operator. On the server, because the largest exceeds the limit of kubectl's annotation; with force, because an
 * operator with `-manage-crds` owns the same fields (calico.md §1.2).
 */
export const crds = defineOperation({
  id: 'crds',
  title: (context) => `Define the ${definitions(context).targets.length} kinds of Calico and its operator`,
  why: 'The API server must know Calico’s kinds before it stores their objects. They come first, so that it drops no field of this release.',
  whenPaused: 'Some kinds may exist that are not used yet. Traffic is as before.',
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
    // Deleting a definition deletes all objects of its kind, so they are listed before.
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

/** OpenShift’s operator brings its kinds itself, so nothing is applied and nothing undone. */
export const crdsBrought: OperationDefinition = {
  ...crds,
  title: 'Wait until the operator has defined its kinds',
  why: 'OpenShift’s bundle has no definitions: the operator creates them when it starts. Calico’s objects can only be written after that.',
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

/**
 * `crds` where a release already runs. An undo keeps kinds that are new with this release: the old release does not know them, and deleting them
 * would delete their objects. If a Helm release holds the kinds (`helm.crds`), Helm's rollback deletes them, and so waits until they contain nothing
 * that somebody else created.
 */
export const crdsUpgraded: OperationDefinition = {
  ...crds,
  title: (context) =>
    `Bring the ${counted(definitions(context).targets.length, 'kind')} of Calico to ${requiredRelease(context).version}`,
  why: (context) =>
    `They come first, so that no field of the new release is dropped; the old release works with them. Fields that others own are taken over. ${withoutWayBack(context)}`.trim(),
  whenPaused:
    'Some kinds may be those of the new release already; the release that runs works with either. Traffic is as before.',
  appliesTo: (context) => crds.appliesTo(context) && definitionsByHelm(context) === null,
  mayWrite: (operation, choices) => ({
    step: crds.mayWrite(operation, choices).step,
    undo: either(null, undoneBy('release', givenBack)),
  }),
  reads: [],
  undo: (context) => {
    const back = earlier(context);
    if (back === null || back.targets.length === 0) return null;
    const { manifest, targets, left } = back;
    return {
      title: `Bring ${left.length === 0 ? 'the ' : ''}${counted(targets.length, 'kind')} back to ${manifest.version}`,
      act: { kind: 'apply-manifest', manifest, targets, force: true },
      done: { kind: 'established', targets },
      phase: 'release',
      usualSeconds: 10,
      deadlineSeconds: 120,
    };
  },
};

/**
 * The definitions that both releases have and that match the file of the release that runs, which therefore restores them. `left`: the others, which
 * somebody changed or which came with another release; that file would not restore them. Null if its files are not at hand.
 */
function earlier(context: PlanContext): { manifest: ManifestRef; targets: ObjectRef[]; left: ObjectRef[] } | null {
  const found = context.running && definitionsOf(context.running);
  if (!found) return null;
  const coming = new Set(definitions(context).targets.map(objectId));
  const both = found.targets.filter((target) => coming.has(objectId(target)));
  const asInFile = new Set(
    found.targets.filter((target, index) => isAsInFile(context, target, found.objects[index])).map(objectId),
  );
  const [targets, left] = [true, false].map((is) => both.filter((target) => asInFile.has(objectId(target)) === is));
  return { manifest: found.manifest, targets: targets ?? [], left: left ?? [] };
}

/** Whether a definition matches the file. True for what an earlier release of the same plan writes, and for what could not be read. */
function isAsInFile({ before, facts }: PlanContext, target: ObjectRef, written: ManifestObject | undefined): boolean {
  const found = objectOf(before, target);
  const isWrittenBefore = found !== objectOf(facts.resources.objects, target);
  return found === undefined || isWrittenBefore || contains(found, withoutMarks(written));
}

function withoutWayBack(context: PlanContext): string {
  const back = earlier(context);
  if (back === null)
    return `There is no way back for them: the files of ${context.facts.installation.version} are not at hand. The old release works with the new ones.`;
  if (back.left.length === 0) return '';
  const { manifest, left } = back;
  const [are, them] = [agreeing(left.length, 'is', 'are'), agreeing(left.length, 'it', 'them')];
  return `${counted(left.length, 'kind')} ${are} not as the files of ${manifest.version} have ${them}, and the way back leaves ${them} as the new release has ${them}: ${inList(left.map(({ name }) => name))}.`;
}

const givenBack: Fits = (step) =>
  fits(step, {
    act: { kind: 'apply-manifest', manifest: aManifest, targets: listOf(aDefinition), force: true },
    done: { kind: 'established', targets: exactly(ownField(ownField(step, 'act'), 'targets')) },
  });

const aManifest = { version: text(/^v\d/), file: text(/^[a-z][a-z-]*(\.yaml)?$/), sha256: text(sha256Hex) };

/** A reference to a CustomResourceDefinition that a release may define. */
export const aDefinition: Fits = (value) =>
  exactly({ resource: resources.customResourceDefinitions, name: ownField(value, 'name') })(value) &&
  mayBeDefined(String(ownField(value, 'name')));

/** A list of at least one of these objects, each at most once. */
function someOf(targets: readonly ObjectRef[]): Fits {
  return (value) => {
    const names = new Set(targets.map(({ name }) => name));
    const isOne: Fits = (one) => aDefinition(one) && names.delete(String(ownField(one, 'name')));
    return Array.isArray(value) && value.length > 0 && value.every(isOne);
  };
}

function withoutThem(context: PlanContext, targets: readonly ObjectRef[]): UndoDefinition | null {
  const ours = targets.filter((target) => isMadeHere(context, target));
  if (ours.length === 0) return null;
  const together = removalOfAll(ours);
  return {
    title: `Remove the ${agreeing(ours.length, 'kind', `${thousands(ours.length)} kinds`)} that came with this run`,
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

/** Removes annotations that say which tool wrote the file: they are no part of a definition. */
function withoutMarks(object: Readonly<Record<string, unknown>> | undefined): unknown {
  const { metadata: _metadata, status: _status, ...definition } = object ?? {};
  return definition;
}
