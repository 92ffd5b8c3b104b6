import { resources } from '#lib/spec/index.ts';
import { proveNodes, rule } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { openshiftNetwork, openshiftProxy } from '../objects/object-refs.ts';
import { onceProvenIs, patched, ref, undoneBy } from '../pins/parts.ts';
import { bool, either, exactly } from '../pins/pattern.ts';
import { onceProven, proxyDurations } from '../proxy/proxy-off.ts';
import { restoreTitle, restoreUndoTitle, restoreWhenPaused, restoreWhy } from '../proxy/proxy-restored.ts';

const patch = { spec: { deployKubeProxy: true } };

/** Makes OpenShift's network operator deploy the proxy again when nothing else serves Services (pain B7). */
export const proxyRestoreOpenshift = defineOperation({
  id: 'proxy.restore.openshift',
  title: restoreTitle,
  why: restoreWhy,
  whenPaused: restoreWhenPaused,
  effect: 'traffic',
  reversible: true,
  appliesTo: ({ facts }) => facts.proxy.kind === 'openshift',
  mayWrite: () => ({
    step: {
      act: { kind: 'merge-patch', target: ref(openshiftNetwork), body: exactly(patch) },
      done: { kind: 'proxy-back', target: ref(openshiftProxy) },
    },
    undo: undoneBy('proxy', {
      act: onceProvenIs(patched(ref(openshiftNetwork), { spec: { deployKubeProxy: either(null, bool) } })),
      done: { kind: 'absent', target: ref(openshiftProxy) },
    }),
  }),
  needs: (scope) => [
    ...proveNodes(scope),
    rule(resources.openshiftNetworkConfigs, ['get', 'patch'], { names: [openshiftNetwork.name] }),
    // Cluster-wide: the namespace does not exist on most clusters, and a Role in it could not be created.
    rule(resources.daemonSets, ['get', 'list', 'watch']),
    rule(resources.pods, ['get', 'list', 'watch']),
  ],
  reads: [{ target: openshiftNetwork, paths: [['spec', 'deployKubeProxy']] }],
  act: write(openshiftNetwork, patch).act,
  done: { kind: 'proxy-back', target: openshiftProxy },
  undo: (context) => ({
    title: restoreUndoTitle,
    act: onceProven(writeBack(context, openshiftNetwork, patch)),
    done: { kind: 'absent', target: openshiftProxy },
    phase: 'proxy',
    ...proxyDurations(context),
  }),
  usualSeconds: (context) => proxyDurations(context).usualSeconds + 30,
  deadlineSeconds: (context) => proxyDurations(context).deadlineSeconds + 120,
});
