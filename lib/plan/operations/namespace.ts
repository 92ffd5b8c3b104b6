import { names, type ReleaseContents, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation } from '../define-operation.ts';
import { writtenFields } from '../objects/field.ts';
import { isMadeHere, removalOfAll } from '../objects/made-here.ts';
import { namespaceObjects, refOf, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import { madeTogether, ownField, removedOnceEmpty, undoneBy, writesItself } from '../pins/parts.ts';
import { anyData, either, type Fits, fits, listOf, mapOf, maybe, shortText } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';

/** Creates the operator’s namespace before everything in it. OpenShift’s bundle has two (calico.md §1.2). */
export const namespace = defineOperation({
  id: 'namespace',
  title: (context) =>
    `Make the namespace ${parts(context)
      .map(({ target }) => target.name)
      .join(' and ')}`,
  why: 'The operator lives in it, and it must be there before the operator’s configuration. Its label lets the operator use the host’s network.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: () => true,
  mayWrite: () => ({
    step: madeTogether(madeNamespace),
    undo: either(null, undoneBy('namespace', removedOnceEmpty(listOf(namespaceRef)))),
  }),
  needs: () => [
    rule(resources.namespaces, ['create']),
    rule(resources.namespaces, ['get', 'patch', 'delete'], {
      names: [names.operatorNamespace, names.calicoNamespace],
    }),
    // Its content is listed before it is deleted.
    { group: '*', resource: '*', verbs: ['list'], namespace: names.operatorNamespace },
  ],
  reads: (context) => parts(context).map(({ target }) => ({ target, paths: [] })),
  act: (context) => ({ kind: 'sequence', steps: parts(context).map(({ act, done }) => ({ act, done })) }),
  done: (context) => all(...parts(context).map(({ done }) => done)),
  undo: (context) => {
    const ours = parts(context).flatMap(({ target }) => (isMadeHere(context, target) ? [target] : []));
    if (ours.length === 0) return null;
    const together = removalOfAll(ours);
    return {
      title: `Remove the namespace ${ours.map(({ name }) => name).join(' and ')}`,
      act: {
        kind: 'sequence',
        steps: [{ act: { kind: 'wait' }, done: { kind: 'only-ours-left', within: ours } }, together],
      },
      done: together.done,
      phase: 'namespace',
      usualSeconds: 10,
      deadlineSeconds: 300,
    };
  },
});

function parts(context: PlanContext) {
  return namespaceParts(requiredRelease(context));
}

/**
 * The Namespaces of the release's files, each with the apply that creates it: of name, labels and annotations alone.
 */
export function namespaceParts(release: ReleaseContents) {
  return namespaceObjects(release).map((object) => {
    const target = refOf(object);
    const marks = ['labels', 'annotations'].flatMap((key) =>
      key in object.metadata ? [[key, object.metadata[key]]] : [],
    );
    const body = { ...object, metadata: { name: target.name, ...Object.fromEntries(marks) } };
    const act: Act = { kind: 'apply', target, body, force: true };
    return { target, body, act, done: { kind: 'fields' as const, target, fields: writtenFields(body) } };
  });
}

const namespaceRef = either(
  ...[names.operatorNamespace, names.calicoNamespace].map((name) => ({ resource: { ...resources.namespaces }, name })),
);

const madeNamespace: Fits = (step) => {
  const target = ownField(ownField(step, 'act'), 'target');
  const marks = maybe(mapOf(shortText));
  const body = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: shortText, labels: marks, annotations: marks },
    spec: maybe(mapOf(anyData)),
  };
  return (
    fits(step, { act: { kind: 'apply', target: namespaceRef, body, force: true }, done: writesItself(step) }) &&
    ownField(ownField(ownField(ownField(step, 'act'), 'body'), 'metadata'), 'name') === ownField(target, 'name')
  );
};
