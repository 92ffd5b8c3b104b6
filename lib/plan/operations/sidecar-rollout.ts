import { counted, inList } from '#lib/base/words.ts';
import { type ObjectRef, type Resource, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import { aName, backFrom, ownField, patched, sequence, stepsOf, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, often, type Pattern, shortText } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { Rule } from '../schema/planned-operation.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';
import { templateVersion, workloadsToRoll } from '../upgrade/afterwards/sidecars.ts';

type Step = { act: Act; done: Condition };

/** A pod template that differs in this gives its workload new pods. */
const mark = 'signalbox.dev/sidecars';
const bodyOf = (version: string) => ({ spec: { template: { metadata: { annotations: { [mark]: version } } } } });

const versionOf = (context: PlanContext) => requiredRelease(context).version;
const targetsOf = (context: PlanContext) =>
  workloadsToRoll(context.facts, versionOf(context)).map(({ target }) => target);

/** Its pods are replaced, and each carries this sidecar. */
const once = ({ act, done }: Step, target: ObjectRef, version: string): Step => ({
  act,
  done: all(done, { kind: 'sidecars', target, version }),
});

const stepsFor = (context: PlanContext): Step[] =>
  targetsOf(context).map((target) => once(write(target, bodyOf(versionOf(context))), target, versionOf(context)));

/** The undo, in reverse order. The injector's earlier template is back by then, so new pods get the sidecar of `earlier`. */
function stepsBack(context: PlanContext): Step[] {
  const earlier = templateVersion(context.facts.resources.objects) ?? '';
  return targetsOf(context)
    .toReversed()
    .map((target) => once(writeBack(context, target, bodyOf(versionOf(context))), target, earlier));
}

const kinds: readonly Resource[] = [resources.deployments, resources.daemonSets, resources.statefulSets];
const workload: Pattern = { resource: either(...kinds.map((one) => exactly(one))), namespace: aName, name: aName };

const rolled =
  (body: Pattern): Fits =>
  (step) =>
    patched(workload, body, {
      kind: 'sidecars',
      target: exactly(ownField(ownField(step, 'act'), 'target')),
      version: shortText,
    })(step);
const allRolled =
  (body: Pattern): Fits =>
  (step) =>
    fits(ownField(step, 'act'), sequence(often(rolled(body)))) &&
    fits(
      ownField(step, 'done'),
      exactly(all(...stepsOf(ownField(step, 'act')).map((one) => ownField(one, 'done') as Condition))),
    );
const marked: Pattern = { spec: { template: { metadata: { annotations: { [mark]: shortText } } } } };

/** spec › Application layer policy upgrade: a rolling update of each workload, one after the other, so that never two of a chain of Services restart at once. */
export const sidecarRollout = defineOperation({
  id: 'sidecar.rollout',
  title: (context) =>
    `Replace the pods of ${counted(targetsOf(context).length, 'workload')} that carry an older sidecar`,
  why: (context) =>
    `They get the sidecar of ${versionOf(context)} when they start. One workload after the other, each as its own strategy says: ${inList(targetsOf(context).map(({ namespace, name }) => `${namespace}/${name}`))}.`,
  whenPaused: 'Some workloads have the new sidecar already, others do not yet. Both work with the new agents.',
  effect: 'traffic',
  traffic: 'restarts',
  reversible: true,
  appliesTo: (context) => isRequested('sidecars', context) && targetsOf(context).length > 0,
  mayWrite: () => ({ step: allRolled(marked), undo: undoneBy('workloads', allRolled(backFrom(bodyOf('')))) }),
  needs: (scope) => needsOf(scope),
  reads: (context) =>
    targetsOf(context).map((target) => ({
      target,
      paths: [['spec', 'template', 'metadata', 'annotations', mark]],
    })),
  act: (context) => ({ kind: 'sequence', steps: stepsFor(context) }),
  done: (context) => all(...stepsFor(context).map(({ done }) => done)),
  undo: (context) => {
    const steps = stepsBack(context);
    return {
      title: `Replace the pods of ${counted(steps.length, 'workload')} again, for the earlier sidecar`,
      act: { kind: 'sequence', steps },
      done: all(...steps.map(({ done }) => done)),
      phase: 'workloads',
      usualSeconds: usualSecondsEach * steps.length,
      deadlineSeconds: deadlineSecondsEach * steps.length,
    };
  },
  usualSeconds: (context) => usualSecondsEach * targetsOf(context).length,
  deadlineSeconds: (context) => deadlineSecondsEach * targetsOf(context).length,
});

/** Seconds for one workload. The facts have neither the number of its pods nor the time that they take to start. */
const usualSecondsEach = 60;
const deadlineSecondsEach = 900;

/** Names the known workloads: nobody needs the right to change every pod template. */
function needsOf({ sidecars = [] }: RuleScope): Rule[] {
  const namespaces = [...new Set(sidecars.flatMap(({ namespace }) => namespace ?? []))];
  return [
    ...sidecars.map(({ resource, namespace = '', name }) =>
      rule(resource, ['get', 'patch'], { namespace, names: [name] }),
    ),
    ...namespaces.flatMap((namespace) => [
      rule(resources.pods, ['list'], { namespace }),
      rule(resources.events, ['list'], { namespace }),
    ]),
  ];
}
