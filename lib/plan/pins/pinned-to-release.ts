import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord } from '#lib/base/records.ts';
import { customResources, type InstallationSpec, installationSpec, withSet } from '#lib/installation/index.ts';
import { knownFlexVolumePaths, names, type ObjectRef, objectId, type ReleaseContents } from '#lib/spec/index.ts';
import { operatorParts, withoutIdentity } from '../install/operator-installation.ts';
import { fieldAt } from '../objects/field.ts';
import { customResourceRef, definitionsOf } from '../objects/release-objects.ts';
import { namespaceParts } from '../operations/namespace.ts';
import type { Plan } from '../plan.ts';
import type { PlannedOperation } from '../schema/planned-operation.ts';
import { ownField, stepsOf } from './parts.ts';

/** An operation that differs from the release, and how. `seq` and `id` are the plan's. */
export type ReleaseProblem = { seq: number; id: string; message: string };

/**
 * Checks a plan that was not made in this process against the release that it names: namespaces, definitions, rights, images and host paths must be
 * those of the release's files (`release`, identified by their checksums), with only the registry and pull Secrets of the plan's Installation added.
 * What an undo would restore of them must be the release's too, because an earlier Deployment cannot be distinguished from a forged one. `release`: as
 * `choices` name it; null for goals that use none.
 */
export function pinnedToRelease(
  plan: Pick<Plan, 'choices' | 'operations'>,
  release: ReleaseContents | null,
): ReleaseProblem[] {
  return plan.operations.flatMap((operation) => {
    const problems = rules[operation.id]?.(operation, { plan, release }) ?? [];
    return problems.map((message) => ({ seq: operation.seq, id: operation.id, message }));
  });
}

type Known = { plan: Pick<Plan, 'choices' | 'operations'>; release: ReleaseContents | null };
type Rule = (operation: PlannedOperation, known: Known) => string[];

const unknownRelease = 'comes from a release whose files are not known here';

/** For operations that a release decides about: without a release they cannot be checked. */
function ofRelease(
  differences: (operation: PlannedOperation, release: ReleaseContents, known: Known) => string[],
): Rule {
  return (operation, known) =>
    known.release === null ? [unknownRelease] : differences(operation, known.release, known);
}

const operatorRule = ofRelease((operation, release, { plan }) => {
  const parts = operatorParts(release, namingOfPlan(plan));
  const back = new Map(parts.map(({ target, body }) => [objectId(target), withoutIdentity(body)]));
  return [
    ...otherThan(operation, parts, release),
    ...restored(operation).flatMap(({ id, body }) =>
      messageUnless(isPartOf(body, back.get(id)), `would bring back ${id} otherwise than ${release.version} has it`),
    ),
  ];
});

const rules: Readonly<Record<string, Rule>> = {
  namespace: ofRelease((operation, release) => otherThan(operation, namespaceParts(release), release)),
  crds: ofRelease(({ act }, release, { plan }) => {
    const defined = definitionsOf(filesUsed(plan, act, release));
    if (act.kind !== 'apply-manifest')
      return messageUnless(defined === null, `defines no kinds, and ${release.version} does`);
    if (defined === null) return [`defines kinds, and no file of ${release.version} does`];
    const { manifest } = act;
    const known = new Set(defined.targets.map(objectId));
    const named = new Set(act.targets.map(objectId));
    const others = [...named].filter((id) => !known.has(id)).concat([...known].filter((id) => !named.has(id)));
    return [
      ...others.map((id) => `defines ${id} otherwise than ${release.version} does`),
      ...messageUnless(
        isDeepStrictEqual(manifest, defined.manifest),
        `takes its kinds from another ${manifest.file} than that of ${release.version}`,
      ),
      ...messageUnless(others.length > 0 || named.size === act.targets.length, 'names a kind twice'),
    ];
  }),
  'operator.apply': operatorRule,
  // The file contains what people changed. Only the installation that read it can tell that from a forgery.
  'manifest.apply': () => ['writes what people changed by hand, which Signalbox does not check'],
  'openshift.bundle': operatorRule,
  'custom-resources': ofRelease((operation, release, { plan }) => {
    const spec = installationOf(plan);
    if (spec === null) return ['asks for no Installation'];
    const wanted = customResources(release, spec).map((object) => {
      const target = customResourceRef(release, object);
      const step = stepsOf(operation.act).find((one) => isDeepStrictEqual(targetOf(one), target));
      const isNew = ownField(ownField(step, 'act'), 'kind') === 'apply';
      return { target, body: isNew ? { ...object } : isRecord(object.spec) ? { spec: object.spec } : {} };
    });
    return [
      ...otherThan(operation, wanted, release),
      ...messageUnless(isChosen(spec, plan.choices), 'asks for an Installation that was not chosen'),
    ];
  }),
};

/** A manifest installation has its kinds from its own file, not from the operator's. */
function filesUsed({ operations }: Known['plan'], act: PlannedOperation['act'], release: ReleaseContents) {
  if (act.kind !== 'apply-manifest' || operations.every(({ id }) => id !== 'manifest.apply')) return release;
  const { file } = act.manifest;
  const own = Object.hasOwn(release.manifests, file) ? release.manifests[file] : undefined;
  return own ? { ...release, manifests: { [file]: own } } : release;
}

type Part = { target: ObjectRef; body: Fields };

/** What a sequence writes that the release has not, or leaves out: a sentence for each object. Conditions follow from what is written. */
function otherThan({ act }: PlannedOperation, parts: readonly Part[], { version }: ReleaseContents): string[] {
  const written = stepsOf(act).map((step) => ({
    target: targetOf(step),
    body: ownField(ownField(step, 'act'), 'body'),
  }));
  const differing = written.flatMap(({ target, body }, index) => {
    const part = parts[index];
    return part && isDeepStrictEqual({ target, body }, { target: part.target, body: part.body })
      ? []
      : [objectId(target as ObjectRef)];
  });
  const left = parts.slice(written.length).map(({ target }) => objectId(target));
  return [
    ...[...new Set(differing)].map((id) => `writes ${id} otherwise than ${version} has it`),
    ...left.map((id) => `leaves out ${id} of ${version}`),
  ];
}

const targetOf = (step: unknown) => ownField(ownField(step, 'act'), 'target');

/** The `spec` of the Installation in the plan itself. The plan shows it, and its registry and Secrets are given to the operator. */
function installationOf({ operations }: Pick<Plan, 'operations'>): Fields | null {
  const act = operations.find(({ id }) => id === 'custom-resources')?.act;
  const step = stepsOf(act).find(
    (one) =>
      fieldAt(targetOf(one), ['resource', 'kind']) === 'Installation' &&
      fieldAt(targetOf(one), ['name']) === names.installation,
  );
  const spec = fieldAt(step, ['act', 'body', 'spec']) ?? {};
  return step !== undefined && isRecord(spec) ? spec : null;
}

const naming = installationSpec.pick({ registry: true, imagePath: true, imagePrefix: true, imagePullSecrets: true });

/** Empty for a document that cannot be read: then the operator's images do not match either. */
function namingOfPlan(plan: Pick<Plan, 'operations'>): InstallationSpec {
  return naming.safeParse(installationOf(plan)).data ?? {};
}

/** Whether the spec contains what was chosen. If a whole document was chosen, it equals that, except for what a fix adds. */
function isChosen(spec: Fields, { installation, set, fix }: Plan['choices']): boolean {
  if (!isDeepStrictEqual(withSet(spec, set), spec)) return false;
  if (installation === undefined) return true;
  const fixed = fix.includes('node.flexvolume-path') ? knownFlexVolumePaths : [];
  const chosen = withSet(installation, set);
  return [chosen, ...fixed.map((flexVolumePath) => ({ ...chosen, flexVolumePath }))].some((one) =>
    isDeepStrictEqual(one, spec),
  );
}

/** Objects whose earlier fields the undo would restore. */
function restored({ undo }: PlannedOperation): { id: string; body: Fields }[] {
  return stepsOf(undo?.act).flatMap((step) => {
    const act = ownField(step, 'act') as PlannedOperation['act'];
    return act.kind === 'merge-patch' ? [{ id: objectId(act.target), body: act.body }] : [];
  });
}

/** Whether every field equals the release's or is removed. */
function isPartOf(body: unknown, released: unknown): boolean {
  if (body === null) return true;
  if (!isRecord(body) || !isRecord(released)) return isDeepStrictEqual(body, released);
  return Object.entries(body).every(([key, value]) =>
    isPartOf(value, Object.hasOwn(released, key) ? released[key] : undefined),
  );
}

function messageUnless(isSo: boolean, message: string): string[] {
  return isSo ? [] : [message];
}
