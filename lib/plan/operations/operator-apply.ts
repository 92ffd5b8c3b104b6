import type { Fields } from '#lib/base/records.ts';
import { agreeing, inList } from '#lib/base/words.ts';
import { versionOfImage } from '#lib/facts/index.ts';
import { names, type ObjectRef, objectId, releaseAtLeast, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation } from '../define-operation.ts';
import { inversePatch } from '../diff/inverse-patch.ts';
import {
  isRunning,
  isWritten,
  operatorInstallation,
  operatorNeeds,
  operatorPart,
  withoutIdentity,
} from '../install/operator-installation.ts';
import { contains } from '../objects/contains.ts';
import { fieldAt } from '../objects/field.ts';
import { removal } from '../objects/made-here.ts';
import { operatorDeployment } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { earlierVersion, isBundle, operatorObjects, refOf, requiredRelease } from '../objects/release-objects.ts';
import type { OperationDefinition, PlanContext } from '../operation.ts';
import {
  backFrom,
  madeTogether,
  operatorRef,
  ownField,
  removed,
  rollout,
  sequence,
  stepsOf,
  undoneBy,
} from '../pins/parts.ts';
import { either, exactly, type Fits, fits, onceOrNever } from '../pins/pattern.ts';
import { backAtEarlier, backAtEarlierParts, wayBackToEarlier } from '../upgrade/back-at-earlier.ts';
import { carriedOver } from '../upgrade/carried-over.ts';
import { takenOutNeeds } from '../upgrade/written-by-operator.ts';

/** Applies the operator as its release publishes it, from the mirror that the Installation names. */
export const operatorApply = operatorInstallation({
  id: 'operator.apply',
  title: (context) => `Install the operator ${requiredRelease(context).operator}`,
  why: 'The operator creates and maintains everything else. For that it needs many rights; its roles list them.',
  besides: [],
  appliesTo: (context) => !isBundle(requiredRelease(context)),
});

/** Fields that the plan keeps, as far as the server stores them unchanged: they tell a half-done act of ours from somebody else's change. */
const carriedPaths = [
  ['containers', '0', 'image'],
  ['containers', '0', 'args'],
  ['containers', '0', 'resources'],
  ['tolerations'],
  ['nodeSelector'],
  ['dnsPolicy'],
  ['dnsConfig'],
  ['affinity'],
  ['priorityClassName'],
  ['imagePullSecrets'],
].map((path) => ['spec', 'template', 'spec', ...path]);

/** Replaces the operator that runs, and keeps what people set on it. */
export const operatorUpgraded: OperationDefinition = defineOperation({
  id: 'operator.apply',
  title: (context) => `Replace the operator by ${requiredRelease(context).operator}`,
  why: (context) =>
    `It brings everything else to its release. What people set on the old one stays: registry, pull Secrets, environment, tolerations, resources, DNS.${bringsKinds(context)}${wasReplaced(context) ? ` An earlier attempt put this operator in place already, so this run cannot bring ${earlierVersion(context) ?? 'the earlier release'} back.` : ''}${ofUnread(context)}`,
  whenPaused:
    'The operator may be of either release; as soon as the new one runs, it updates the nodes one after the other.',
  // The operator starts at once to replace the agent on each node.
  effect: 'traffic',
  reversible: true,
  appliesTo: () => true,
  settled: (context) =>
    parts(context).every(({ target, body }) => contains(objectOf(context.before, target), body)) && isRunning(context),
  mayWrite: ({ act }) => {
    const undone = stepsOf(act)
      .map((step) => ownField(step, 'act') as { target: ObjectRef; body: Fields })
      .reverse();
    const steps = undone.map(({ target, body }) => restoredTo(target, withoutIdentity(body)));
    return {
      step: madeTogether(operatorPart([]), rollout(operatorRef)),
      undo: either(
        null,
        undoneBy('release', (step) =>
          fits(step, {
            act: sequence(...steps.map(onceOrNever), ...backAtEarlierParts),
            done: exactly(all(...stepsOf(ownField(step, 'act')).map((one) => ownField(one, 'done') as never))),
          }),
        ),
      ),
    };
  },
  needs: (scope) => [
    ...operatorNeeds(scope.operatorNamespace),
    // For the way back: fields that the new operator wrote by itself.
    rule(resources.installations, ['get', 'patch'], { names: [names.installation] }),
    ...takenOutNeeds(scope),
  ],
  // Objects that an earlier release of the same plan writes have no server defaults yet.
  reads: (context) => {
    const target = operatorDeployment(context);
    const isAsRead = objectOf(context.before, target) === objectOf(context.facts.resources.objects, target);
    return isAsRead ? [{ target, paths: carriedPaths }] : [];
  },
  act: (context) => ({ kind: 'sequence', steps: parts(context).map(({ act, done }) => ({ act, done })) }),
  done: (context) =>
    all(...parts(context).map(({ done }) => done), { kind: 'rollout', target: operatorDeployment(context) }),
  undo: (context) => {
    // An undo would restore the operator that was found, which is not of the earlier release: the undo would wait for that release without end.
    if (wasReplaced(context)) return null;
    const steps = parts(context)
      .reverse()
      .flatMap(({ target, body }) => {
        const before = objectOf(context.before, target);
        if (before === null) return [removal(target)];
        // An object that was not read may exist: deleted, it would take the earlier operator's rights with it.
        if (before === undefined) return [];
        const patch = inversePatch(before, withoutIdentity(body));
        return [{ act: { kind: 'merge-patch' as const, target, body: patch }, done: isWritten(target, patch) }];
      });
    return wayBackToEarlier(context, {
      title: 'Bring the earlier operator back',
      steps: [...steps, ...backAtEarlier(context)],
      besideSeconds: 60,
    });
  },
  usualSeconds: 30,
  deadlineSeconds: 600,
});

/**
 * Whether an operator of the new release, or of a later one, is there although the cluster is on the earlier one: an upgrade by hand that stopped
 * half-way. With two releases in a plan it may have aimed at the second.
 */
function wasReplaced(context: PlanContext): boolean {
  const imageIn = (object: unknown) => fieldAt(object, ['spec', 'template', 'spec', 'containers', '0', 'image']);
  const target = operatorDeployment(context);
  const found = imageIn(objectOf(context.before, target));
  const { version, operator } = requiredRelease(context);
  return (
    typeof found === 'string' &&
    releaseAtLeast(versionOfImage(found) ?? '', operator) === 'yes' &&
    context.facts.installation.version !== version
  );
}

/** OpenShift's file contains no kinds (calico.md §1.2). */
function bringsKinds(context: PlanContext): string {
  return isBundle(requiredRelease(context))
    ? ' On OpenShift it brings its kinds by itself; they stay when the run is taken back, and the earlier release works with them.'
    : '';
}

/** Says which objects the way back leaves alone. */
function ofUnread(context: PlanContext): string {
  const unread = parts(context).flatMap(({ target }) =>
    objectOf(context.before, target) === undefined ? [objectId(target)] : [],
  );
  if (unread.length === 0) return '';
  return ` ${inList(unread)} could not be read, so the way back leaves ${agreeing(unread.length, 'it', 'them')} as the new release has ${agreeing(unread.length, 'it', 'them')}.`;
}

function parts(context: PlanContext) {
  const { running, before } = context;
  const old = new Map(running ? operatorObjects(running).map((object) => [objectId(refOf(object)), object]) : []);
  return operatorObjects(requiredRelease(context)).map((next) => {
    const target = refOf(next);
    const body = carriedOver({ next, live: objectOf(before, target), old: old.get(objectId(target)) });
    return { target, body, act: { kind: 'apply' as const, target, body, force: true }, done: isWritten(target, body) };
  });
}

/** Restored, or deleted if it did not exist. */
function restoredTo(target: ObjectRef, written: Fields): Fits {
  return either(removed(exactly(target), target.resource.group === 'apps' ? 'Foreground' : 'Background'), (step) => {
    const act = ownField(step, 'act');
    const isPatch = fits(act, { kind: 'merge-patch', target: exactly(target), body: backFrom(written) });
    return isPatch && fits(ownField(step, 'done'), exactly(isWritten(target, ownField(act, 'body') as Fields)));
  });
}
