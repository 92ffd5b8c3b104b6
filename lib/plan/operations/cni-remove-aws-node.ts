import { objectId, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { withoutBookkeeping } from '../diff/without-bookkeeping.ts';
import { chosenCni } from '../install/installation-document.ts';
import { removal } from '../objects/made-here.ts';
import { awsNode } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { refuseMasked } from '../objects/refuse-masked.ts';
import { recordedMetadata, ref, removed, rollout, undoneBy } from '../pins/parts.ts';
import { anyData, mapOf } from '../pins/pattern.ts';

/**
 * Two networks on one node assign addresses without knowing of each other. As long as aws-node exists, the operator also takes it for the wanted
 * network (calico.md §2.1).
 */
export const cniRemoveAwsNode = defineOperation({
  id: 'cni.remove-aws-node',
  title: 'Remove the network that EKS brought',
  why: 'Calico’s own network was chosen, and DaemonSet kube-system/aws-node would keep assigning addresses beside it. Running pods keep their addresses until they restart; new pods wait for Calico.',
  whenPaused:
    'The network of EKS may be partly removed. Running pods keep their addresses; new pods wait until Calico runs.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => chosenCni(context) === 'Calico' && Boolean(objectOf(context.before, awsNode)),
  mayWrite: () => ({
    step: removed(ref(awsNode), 'Foreground'),
    undo: undoneBy('network', {
      act: {
        kind: 'recreate',
        target: ref(awsNode),
        body: { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: recordedMetadata(awsNode), spec: mapOf(anyData) },
      },
      done: rollout(ref(awsNode)),
    }),
  }),
  needs: () => [
    rule(resources.daemonSets, ['create'], { namespace: awsNode.namespace ?? '' }),
    rule(resources.daemonSets, ['get', 'delete'], { namespace: awsNode.namespace ?? '', names: [awsNode.name] }),
  ],
  reads: [{ target: awsNode, paths: [['spec', 'template', 'spec', 'containers']] }],
  act: removal(awsNode).act,
  done: removal(awsNode).done,
  undo: (context) => {
    const object = objectOf(context.before, awsNode);
    if (!object) return null;
    refuseMasked(objectId(awsNode), object.spec);
    return {
      title: 'Bring the network of EKS back',
      act: { kind: 'recreate', target: awsNode, body: withoutBookkeeping(object) },
      done: { kind: 'rollout', target: awsNode },
      phase: 'network',
      usualSeconds: 60,
      deadlineSeconds: 600,
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 300,
});
