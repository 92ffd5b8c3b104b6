import { resources } from '#lib/spec/index.ts';
import { proveNodes, rule } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { openshiftNetwork, openshiftProxy } from '../objects/object-refs.ts';
import { onceProvenIs, patched, ref, undoneBy } from '../pins/parts.ts';
import { bool, either } from '../pins/pattern.ts';
import { onceProven, proxyDurations, proxyOffReads, proxyOffTitle, proxyOffWhy } from '../proxy/proxy-off.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

const patch = { spec: { deployKubeProxy: false } };

/** OpenShift's network operator deploys the proxy, and removes it on request (spec › States and transitions). */
export const proxyDisableOpenshift = defineOperation({
  id: 'proxy.disable.openshift',
  title: proxyOffTitle,
  why: proxyOffWhy,
  whenPaused: 'eBPF is proven on every node; the service proxy may be partly removed. eBPF serves Services.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) === 'openshift',
  mayWrite: () => ({
    step: {
      act: onceProvenIs(patched(ref(openshiftNetwork), patch)),
      done: { kind: 'absent', target: ref(openshiftProxy) },
    },
    undo: undoneBy('proxy', {
      act: {
        kind: 'merge-patch',
        target: ref(openshiftNetwork),
        body: { spec: { deployKubeProxy: either(null, bool) } },
      },
      done: { kind: 'proxy-back', target: ref(openshiftProxy) },
    }),
  }),
  needs: (scope) => [
    ...proveNodes(scope),
    rule(resources.openshiftNetworkConfigs, ['get', 'patch'], { names: [openshiftNetwork.name] }),
    // Cluster-wide: the namespace does not exist on most clusters, and a Role in it could not be created.
    rule(resources.daemonSets, ['get', 'list', 'watch']),
    rule(resources.pods, ['get', 'list', 'watch']),
  ],
  reads: (context) => [...proxyOffReads(context), { target: openshiftNetwork, paths: [['spec', 'deployKubeProxy']] }],
  act: onceProven(write(openshiftNetwork, patch)),
  done: { kind: 'absent', target: openshiftProxy },
  undo: (context) => ({
    title: 'Turn kube-proxy on again',
    act: writeBack(context, openshiftNetwork, patch).act,
    done: { kind: 'proxy-back', target: openshiftProxy },
    phase: 'proxy',
    ...proxyDurations(context),
  }),
  usualSeconds: (context) => proxyDurations(context).usualSeconds + 30,
  deadlineSeconds: (context) => proxyDurations(context).deadlineSeconds + 120,
});
