import { counted } from '#lib/base/words.ts';
import { isLabelOfKubernetes, names, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { aName, ownField, patched, sequence, stepsOf } from '../pins/parts.ts';
import { either, exactly, type Fits, fits, often, shortText } from '../pins/pattern.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { labelsToCopy } from '../upgrade/afterwards/labels-to-copy.ts';
import { isRequested } from '../upgrade/afterwards/refuse-afterwards.ts';

const bodyOf = (labels: Readonly<Record<string, string>>) => ({ metadata: { labels } });

const stepsFor = (context: PlanContext) =>
  labelsToCopy(context).map(({ node, labels }): { act: Act; done: Condition } => write(node, bodyOf(labels)));

const labelled: Fits = (step) =>
  patched({ resource: exactly(resources.nodes), name: aName }, { metadata: { labels: ofPeople } })(step);
const ofPeople: Fits = (labels) =>
  typeof labels === 'object' &&
  labels !== null &&
  Object.entries(labels).every(([key, value]) => !isLabelOfKubernetes(key) && fits(value, either(null, shortText)));
const nodesLabelled: Fits = (step) =>
  fits(ownField(step, 'act'), sequence(often(labelled))) &&
  fits(
    ownField(step, 'done'),
    exactly(all(...stepsOf(ownField(step, 'act')).map((one) => ownField(one, 'done') as Condition))),
  );

/** spec › Label node: automatic host endpoints get the labels of their nodes and no others, and policies select them by labels. */
export const hepCopyLabels = defineOperation({
  id: 'hep.copy-labels',
  title: (context) => `Copy labels of host endpoints to ${counted(stepsFor(context).length, 'node')}`,
  why: 'Automatic host endpoints have the labels of their node. With these labels, policies select them like the old ones. Labels of Kubernetes itself are not copied.',
  whenPaused: 'Only labels have changed. Traffic is as before, unless something else selects nodes by them.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) => isRequested('host-endpoints', context) && labelsToCopy(context).length > 0,
  mayWrite: () => ({
    step: nodesLabelled,
    undo: (undo) =>
      nodesLabelled(undo) && fits(ownField(undo, 'phase'), 'options') && fits(ownField(undo, 'pulls'), exactly([])),
  }),
  needs: () => [rule(resources.nodes, ['get', 'patch']), rule(resources.hostEndpoints, ['get'])],
  reads: (context) => [
    ...labelsToCopy(context).map(({ node, labels }) => ({
      target: node,
      paths: Object.keys(labels).map((key) => ['metadata', 'labels', key]),
    })),
    // The endpoints from which labels are copied. In storage their labels are text in an annotation.
    ...context.facts.upgrade.hostEndpoints.byHand
      .map(({ name }) => ({ resource: resources.hostEndpoints, name }))
      .filter((target) => objectOf(context.before, target))
      .map((target) => ({
        target,
        paths: [
          ['metadata', 'labels'],
          ['metadata', 'annotations', names.metadataAnnotation],
        ],
      })),
  ],
  act: (context) => ({ kind: 'sequence', steps: stepsFor(context) }),
  done: (context) => all(...stepsFor(context).map(({ done }) => done)),
  undo: (context) => {
    const steps = labelsToCopy(context).map(({ node, labels }) => writeBack(context, node, bodyOf(labels)));
    return {
      title: 'Remove the copied labels from the nodes',
      act: { kind: 'sequence', steps },
      done: all(...steps.map(({ done }) => done)),
      phase: 'options',
    };
  },
  usualSeconds: 5,
  deadlineSeconds: 120,
});
