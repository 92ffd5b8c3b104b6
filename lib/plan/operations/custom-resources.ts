import { type Fields, isRecord } from '#lib/base/records.ts';
import { apiVersionOf, type ObjectRef, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { agentRollout, manyNodes } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { customResourceObjects, installationDoubts, isStandard } from '../install/installation-document.ts';
import { writtenFields } from '../objects/field.ts';
import { isFresh, isMadeHere, removal } from '../objects/made-here.ts';
import { agents, calicoNamespaceRef, endpointConfigMap } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { customResourceRef, requiredRelease } from '../objects/release-objects.ts';
import type { PlanContext } from '../operation.ts';
import {
  agentsRef,
  awaited,
  madeTogether,
  ownField,
  patched,
  proxyBack,
  sequence,
  stepsOf,
  takenBack,
} from '../pins/parts.ts';
import { anyData, exactly, type Fits, fits, inOrder, mapOf, maybe, onceOrNever, text } from '../pins/pattern.ts';
import { proxyFirstDurations, proxyFirstNeeds } from '../proxy/proxy-first.ts';
import { proxyDaemonSet, proxyIsOff } from '../proxy/proxy-removal.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import type { FieldExpectation } from '../schema/named-objects.ts';

/** spec › States and transitions: created with eBPF on from the start; the operator does the rest. */
export const customResources = defineOperation({
  id: 'custom-resources',
  title: (context) =>
    `Ask the operator for Calico on ${manyNodes(agentRollout(context).nodes)}${isStandard(context) ? '' : ', with eBPF from the start'}`,
  why: (context) =>
    [
      context.choices.automatic
        ? 'From here on the operator installs what the Installation says. It turns the service proxy off before the first agent runs: Services pause for as long as images are pulled.'
        : 'From here on the operator installs what the Installation says, on every node at once.',
      ...installationDoubts(context).map((doubt) => `To look at first: ${doubt}`),
    ].join(' '),
  whenPaused:
    'The operator may be installing Calico while the service proxy still runs: Services are handled as before.',
  effect: 'traffic',
  reversible: true,
  appliesTo: () => true,
  mayWrite: ({ act }, choices) => {
    const undone = stepsOf(act)
      .map((step) => ownField(step, 'act') as CustomResourceAct)
      .reverse();
    return {
      step: madeTogether(ofCustomResource),
      undo: (undo) =>
        fits(ownField(undo, 'phase'), 'data-plane') &&
        fits(ownField(undo, 'pulls'), choices.automatic ? ['proxy.disable.managed'] : []) &&
        fits(
          ownField(undo, 'act'),
          sequence(
            onceOrNever(awaited(proxyBack)),
            ...undone.map(({ target, body }) => takenBack(target, specOf(body))),
          ),
        ) &&
        fits(ownField(undo, 'done'), onceDeleted(ownField(undo, 'act'))),
    };
  },
  needs: (scope) => [
    ...scope.customResources.flatMap(({ resource, name }) => [
      rule(resource, ['create', 'list', 'watch']),
      rule(resource, ['get', 'patch', 'delete'], { names: [name] }),
    ]),
    rule(resources.tigeraStatuses, ['get', 'list', 'watch']),
    ...proxyFirstNeeds(scope),
    ...followWorkloads(scope.calicoNamespace),
  ],
  reads: (context) => [
    ...parts(context).flatMap(({ target }) => (isMadeHere(context, target) ? [{ target, paths: [] }] : [])),
    ...(isStandard(context) || context.choices.automatic
      ? []
      : [{ target: endpointConfigMap(context), paths: [['data']] }]),
  ],
  act: (context) => ({ kind: 'sequence', steps: parts(context).map(({ act, done }) => ({ act, done })) }),
  done: (context) => all(...parts(context).map(({ done }) => done)),
  /** Deletes the resources that need the network before the network itself, and keeps the operator until that is gone (calico.md §13 no. 30). */
  undo: (context) => {
    const steps = parts(context)
      .reverse()
      .map(({ target, body }) =>
        isMadeHere(context, target) ? removal(target) : writeBack(context, target, specOf(body)),
      );
    const { usualSeconds, deadlineSeconds } = proxyFirstDurations(context);
    return {
      title: isFresh(context) ? 'Remove Calico from every node' : 'Give the operator its earlier instructions back',
      act: { kind: 'sequence', steps: [...servedWithout(context), ...steps] },
      done: all(...steps.map(({ done }) => done), ...nothingRuns(context)),
      phase: 'data-plane',
      // In automatic mode the operator turns the proxy off at once, before that operation begins.
      pulls: context.choices.automatic ? ['proxy.disable.managed'] : [],
      usualSeconds: usualSeconds + 60,
      deadlineSeconds: deadlineSeconds + 900,
    };
  },
  usualSeconds: 5,
  deadlineSeconds: 120,
});

function parts(context: PlanContext) {
  return customResourceObjects(context).map((object) => {
    const target = customResourceRef(requiredRelease(context), object);
    const found = objectOf(context.before, target);
    const body: Fields = { ...object };
    if (found) return { target, body, ...write(target, specOf(body)) };
    const act: Act = { kind: 'apply', target, body, force: false };
    // The operator adds defaults to lists, so lists are not compared.
    return { target, body, act, done: { kind: 'fields' as const, target, fields: settledFields(body) } };
  });
}

/** The fields that can be compared: the operator adds defaults to lists. */
function settledFields(body: Fields): FieldExpectation[] {
  return writtenFields(body).filter((field) => 'equals' in field && !Array.isArray(field.equals));
}

function specOf({ spec }: Fields): Fields {
  return isRecord(spec) ? { spec } : {};
}

/** Once eBPF goes, the proxy that ran before must serve Services. */
function servedWithout(context: PlanContext) {
  if (isStandard(context) || proxyIsOff(context)) return [];
  const back: Condition = { kind: 'proxy-back', target: proxyDaemonSet(context) };
  return [{ act: { kind: 'wait' } as const, done: back }];
}

function nothingRuns(context: PlanContext): Condition[] {
  if (!isFresh(context)) return [];
  // A namespace that existed before is not deleted with the operator.
  const namespace = calicoNamespaceRef(context);
  const absent = isMadeHere(context, namespace) ? [agents(context), namespace] : [agents(context)];
  return absent.map((target): Condition => ({ kind: 'absent', target }));
}

type CustomResourceAct = { target: ObjectRef; body: Fields };

/** Any kind of custom resource for the operator (schema/named-objects.ts › isOfOperator): created as the release has it, or given the fields of its spec. */
const ofCustomResource: Fits = (step) => {
  const { target, body } = ownField(step, 'act') as CustomResourceAct;
  if (target?.resource?.group !== resources.installations.group || !isRecord(body)) return false;
  if (patched(exactly(target), { spec: maybe(mapOf(anyData)) })(step)) return true;
  const { resource, name } = target;
  const isOwn =
    body.apiVersion === apiVersionOf(resource) &&
    body.kind === resource.kind &&
    ownField(body.metadata, 'name') === name;
  return (
    isOwn &&
    Object.keys(body).every((key) => ['apiVersion', 'kind', 'metadata', 'spec'].includes(key)) &&
    fits(step, {
      act: { kind: 'apply', target: exactly(target), body: exactly(body), force: false },
      done: exactly({ kind: 'fields', target, fields: settledFields(body) }),
    })
  );
};

/** Every part is as it was before; if there was nothing before, nothing runs any more. */
function onceDeleted(act: unknown): Fits {
  const dones = stepsOf(act)
    .filter((step) => ownField(ownField(step, 'act'), 'kind') !== 'wait')
    .map((step) => ownField(step, 'done'));
  const agentsAbsent = { kind: 'absent', target: agentsRef };
  const namespaceAbsent = {
    kind: 'absent',
    target: { resource: { ...resources.namespaces }, name: text(/^[a-z0-9-]+$/) },
  };
  return (done) =>
    fits(done, exactly(all(...(dones as Condition[])))) ||
    fits(done, {
      kind: 'all',
      of: inOrder(...dones.map(exactly), onceOrNever(agentsAbsent), onceOrNever(namespaceAbsent)),
    });
}
