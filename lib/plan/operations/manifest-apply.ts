import { agreeing, counted, inList } from '#lib/base/words.ts';
import { manifestObjects, names, objectId, type Resource, resources } from '#lib/spec/index.ts';
import { followWorkloads, rule } from '../access/rules.ts';
import { all, defineOperation } from '../define-operation.ts';
import { withoutBookkeeping } from '../diff/without-bookkeeping.ts';
import { contains } from '../objects/contains.ts';
import { objectOf } from '../objects/objects.ts';
import { earlierVersion, requiredRelease } from '../objects/release-objects.ts';
import type { OperationDefinition, PlanContext } from '../operation.ts';
import { undoneBy } from '../pins/parts.ts';
import { shortText } from '../pins/pattern.ts';
import type { Rule } from '../schema/planned-operation.ts';
import { wayBackToEarlier } from '../upgrade/back-at-earlier.ts';
import { manifestIn } from '../upgrade/manifest/manifest-file.ts';
import {
  manifestParts,
  manifestWorkloads,
  readyInWords,
  removedObjects,
  type Step,
  stepBack,
  stepsFor,
} from '../upgrade/manifest/manifest-parts.ts';
import { manifestBack, manifestRefs, manifestWritten } from '../upgrade/manifest/manifest-pins.ts';
import { releaseActive } from './release-active.ts';
import { verifyPods } from './verify-pods.ts';

/** Fields of each object that the plan keeps and would overwrite with force, so they must not have changed since. */
const carriedPaths = [
  ...['data', 'binaryData', 'rules', 'subjects', 'imagePullSecrets'].map((part) => [part]),
  ['metadata', 'labels'],
  ...['replicas', 'strategy', 'updateStrategy', 'minReadySeconds', 'ports', 'maxUnavailable', 'minAvailable'].map(
    (field) => ['spec', field],
  ),
  ...['labels', 'annotations'].map((part) => ['spec', 'template', 'metadata', part]),
  ...[
    ...['containers', 'initContainers', 'volumes', 'tolerations', 'nodeSelector', 'affinity', 'priorityClassName'],
    ...['imagePullSecrets', 'hostNetwork', 'dnsPolicy', 'dnsConfig', 'hostAliases', 'securityContext'],
    ...['terminationGracePeriodSeconds', 'topologySpreadConstraints'],
  ].map((field) => ['spec', 'template', 'spec', field]),
];

/** Applies the manifest from which Calico was installed, with changes by hand merged in (spec › Manifest upgrade). */
export const manifestApply = defineOperation({
  id: 'manifest.apply',
  title: (context) => `Apply ${fileOf(context)} of ${requiredRelease(context).version}`,
  why: (context) => `It brings the agents to the new release. ${changesInWords(context)}`,
  whenPaused:
    'Some objects may be of the new release already; as soon as the agents’ DaemonSet is, nodes change one after the other.',
  // The DaemonSet starts at once to replace the agent on each node.
  effect: 'traffic',
  reversible: true,
  appliesTo: () => true,
  settled: (context) =>
    manifestParts(context).every(
      ({ live, body, removed }) => live !== null && removed.length === 0 && contains(live, body),
    ),
  mayWrite: () => ({ step: manifestWritten, undo: undoneBy('release', manifestBack) }),
  needs: manifestNeeds,
  // Objects that an earlier release of the same plan writes have no server defaults yet.
  reads: (context) =>
    manifestParts(context).flatMap(({ target, live }) =>
      live === objectOf(context.facts.resources.objects, target)
        ? [{ target, paths: live === null ? [] : carriedPaths }]
        : [],
    ),
  act: (context) => ({ kind: 'sequence', steps: stepsOfFile(context) }),
  done: (context) => all(...stepsOfFile(context).map(({ done }) => done)),
  undo: (context) => {
    const version = earlierVersion(context);
    const recreated = removedObjects(context).map(
      ({ target, live }): Step => ({
        act: { kind: 'recreate', target, body: withoutBookkeeping(live) as Record<string, unknown> },
        done: { kind: 'exists', target },
      }),
    );
    const steps = [...recreated, ...manifestParts(context).toReversed().map(stepBack)];
    const wait: Step[] =
      version === null
        ? []
        : [{ act: { kind: 'wait' }, done: { kind: 'upgraded', version, workloads: manifestWorkloads(context) } }];
    return wayBackToEarlier(context, {
      title: 'Bring the earlier objects back',
      steps: [...steps, ...wait],
      besideSeconds: 60,
    });
  },
  usualSeconds: 15,
  deadlineSeconds: 300,
});

const fileOf = (context: PlanContext) => manifestIn(requiredRelease(context), context).file;

function stepsOfFile(context: PlanContext): Step[] {
  const deletions = removedObjects(context).map(
    ({ target }): Step => ({
      act: { kind: 'delete', target, propagation: 'Background' },
      done: { kind: 'absent', target },
    }),
  );
  return [...manifestParts(context).flatMap(stepsFor), ...deletions];
}

function changesInWords(context: PlanContext): string {
  const parts = manifestParts(context);
  const changes = parts.flatMap((part) => part.changes);
  const many = (decision: string) => changes.filter((one) => one.decision === decision).length;
  const deleted = removedObjects(context).map(({ target }) => objectId(target));
  const how =
    context.running === null
      ? ` ${fileOf(context)} of the release that runs is not at hand, so the cluster was compared with the new file alone.`
      : '';
  const byHand =
    changes.length === 0
      ? 'The earlier one was not changed by hand.'
      : `${counted(changes.length, 'change')} by hand: ${inList(
          (
            [
              [many('keep'), 'stays', 'stay'],
              [many('write'), 'is written as answered', 'are written as answered'],
              [many('take'), 'is as the new file has it', 'are as the new file has them'],
            ] as const
          ).flatMap(([count, one, more]) => (count === 0 ? [] : [`${count} ${agreeing(count, one, more)}`])),
        )}.`;
  return `${byHand}${how}${deleted.length > 0 ? ` Deleted: ${deleted.join(', ')}.` : ''}`;
}

/** Waits as for the operator, where there is none: for version, rollout and the agent of each node. */
export const manifestActive: OperationDefinition = defineOperation({
  ...releaseActive,
  why: 'The DaemonSet updates the agent of one node after the other. The step ends when the rollout, every agent and the controllers report the new release.',
  mayWrite: () => ({
    step: { act: { kind: 'wait' }, done: { kind: 'upgraded', version: shortText, workloads: manifestRefs } },
  }),
  needs: (scope) => [
    rule(resources.nodes, ['get', 'list', 'watch']),
    ...manifestNeeds(),
    ...followWorkloads(scope.calicoNamespace),
  ],
  done: (context) => ({
    kind: 'upgraded',
    version: requiredRelease(context).version,
    workloads: manifestWorkloads(context),
  }),
});

/** The pods of the manifest: a DaemonSet and Deployments, in a namespace that they share with others. */
export const verifyManifestPods: OperationDefinition = defineOperation({
  ...verifyPods,
  why: (context) => `The last check before the run is done: ${readyInWords(context)} on each of its pods.`,
  mayWrite: () => ({
    step: (step) => {
      const { act, done } = step as { act: unknown; done: { kind?: string; version?: string; workloads?: unknown } };
      return (
        (act as { kind?: string }).kind === 'verify' &&
        done.kind === 'upgraded' &&
        shortText(done.version) &&
        manifestRefs(done.workloads)
      );
    },
  }),
  needs: manifestNeeds,
  done: manifestActive.done,
});

/** Only an account that has all rights of a Role may grant it, or one with `escalate` and `bind` (operator-installation.ts). */
export function manifestNeeds(): Rule[] {
  const namespace = names.systemNamespace;
  const verbs = ['get', 'patch', 'delete'];
  return [
    ...manifestObjects.flatMap(({ kind, named }) => {
      const resource: Resource = resources[kind];
      const where = resource.namespaced ? { namespace } : {};
      const also = kind === 'clusterRoles' ? ['escalate', 'bind'] : [];
      return [rule(resource, ['create'], where), rule(resource, [...verbs, ...also], { ...where, names: [...named] })];
    }),
    ...followWorkloads(namespace),
  ];
}
