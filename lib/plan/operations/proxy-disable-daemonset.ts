import { names } from '#lib/spec/index.ts';
import { proveNodes } from '../access/rules.ts';
import { defineOperation, write } from '../define-operation.ts';
import { kubeProxy } from '../objects/object-refs.ts';
import { onceProvenIs, patched, ref, undoneBy } from '../pins/parts.ts';
import {
  onceProven,
  proxyDurations,
  proxyNeeds,
  proxyOffReads,
  proxyOffTitle,
  proxyOffWhy,
} from '../proxy/proxy-off.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

const selector = (value: string | null) => ({
  spec: { template: { spec: { nodeSelector: { [names.nonCalicoSelector]: value } } } },
});

/**
 * Gives kube-proxy's DaemonSet a nodeSelector that no node has (spec › Disable service proxy).
 * Only after bpf.active: without a service proxy, a node that is not on eBPF has no services.
 */
export const proxyDisableDaemonset = defineOperation({
  id: 'proxy.disable.daemonset',
  title: proxyOffTitle,
  why: proxyOffWhy,
  whenPaused: 'eBPF is proven on every node; the service proxy may be partly removed. eBPF serves Services.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) === 'daemonset',
  mayWrite: () => ({
    step: {
      act: onceProvenIs(patched(ref(kubeProxy), selector('true'))),
      done: { kind: 'no-pods', target: ref(kubeProxy) },
    },
    undo: undoneBy('proxy', {
      act: { kind: 'merge-patch', target: ref(kubeProxy), body: selector(null) },
      done: { kind: 'proxy-back', target: ref(kubeProxy) },
    }),
  }),
  needs: (scope) => [...proveNodes(scope), ...proxyNeeds(kubeProxy)],
  reads: (context) => [
    ...proxyOffReads(context),
    { target: kubeProxy, paths: [['spec', 'template', 'spec', 'nodeSelector', names.nonCalicoSelector]] },
  ],
  act: onceProven(write(kubeProxy, selector('true'))),
  done: { kind: 'no-pods', target: kubeProxy },
  undo: (context) => ({
    title: 'Turn kube-proxy on again',
    act: write(kubeProxy, selector(null)).act,
    done: { kind: 'proxy-back', target: kubeProxy },
    phase: 'proxy',
    ...proxyDurations(context),
  }),
  usualSeconds: (context) => proxyDurations(context).usualSeconds,
  deadlineSeconds: (context) => proxyDurations(context).deadlineSeconds,
});
