import { names, proxyManagementPath } from '#lib/spec/index.ts';
import { proveNodes, writeInstallation } from '../access/rules.ts';
import { defineOperation, write, writeBack } from '../define-operation.ts';
import { fieldAt, patchAt } from '../objects/field.ts';
import { installation, kubeProxy } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { installationRef, onceProvenIs, patched, ref, sequence, undoneBy } from '../pins/parts.ts';
import { either, exactly, shortText } from '../pins/pattern.ts';
import { onceProven, proxyDurations, proxyNeeds } from '../proxy/proxy-off.ts';
import { wasOn } from '../proxy/proxy-removal.ts';
import { restoreTitle, restoreUndoTitle, restoreWhenPaused, restoreWhy } from '../proxy/proxy-restored.ts';

const offKeys = [names.nonCalicoSelector, names.operatorProxySelector] as const;
const selectorPath = ['spec', 'template', 'spec', 'nodeSelector'];
const withoutKeys = patchAt(selectorPath, Object.fromEntries(offKeys.map((key) => [key, null])));
const back = { kind: 'proxy-back', target: kubeProxy } as const;

/** While eBPF is on, an operator that manages the proxy would restore its key (operations.md › proxy.disable.managed). */
function isManaged(context: PlanContext): boolean {
  return wasOn(context) && fieldAt(objectOf(context.before, installation), proxyManagementPath) === 'Enabled';
}

const unmanaged = write(installation, patchAt(proxyManagementPath, 'Disabled'));
const managedAgain = write(installation, patchAt(proxyManagementPath, 'Enabled'));
const backByKeys = { act: { kind: 'merge-patch', target: ref(kubeProxy), body: exactly(withoutKeys) } };
const earlierKeys = Object.fromEntries(offKeys.map((key) => [key, either(null, shortText)]));
const backPinned = { kind: 'proxy-back', target: ref(kubeProxy) };

/**
 * Removes the selectors that keep kube-proxy off every node when nothing else serves Services (pain B7): the one of Calico's documentation and the
 * operator's. Does not wait for the operator first: without Services it may not reach the API server.
 */
export const proxyRestore = defineOperation({
  id: 'proxy.restore',
  title: restoreTitle,
  why: restoreWhy,
  whenPaused: restoreWhenPaused,
  effect: 'traffic',
  reversible: true,
  appliesTo: ({ facts }) => facts.proxy.kind === 'daemonset',
  // Nothing to change does not mean that the proxy runs: its pods are awaited.
  adopts: ({ facts: { proxy } }) => proxy.pods !== null && proxy.pods.ready < Math.max(1, proxy.pods.desired),
  mayWrite: ({ act }) => ({
    step: either(
      { ...backByKeys, done: backPinned },
      {
        act: sequence(patched(installationRef, exactly(unmanaged.act.body)), { ...backByKeys, done: backPinned }),
        done: backPinned,
      },
    ),
    undo: undoneBy(
      'proxy',
      act.kind === 'sequence'
        ? {
            act: onceProvenIs(patched(installationRef, exactly(managedAgain.act.body))),
            done: { kind: 'no-pods', target: ref(kubeProxy) },
          }
        : {
            act: onceProvenIs(patched(ref(kubeProxy), { spec: { template: { spec: { nodeSelector: earlierKeys } } } })),
            done: { kind: 'no-pods', target: ref(kubeProxy) },
          },
    ),
  }),
  needs: (scope) => [writeInstallation, ...proveNodes(scope), ...proxyNeeds(kubeProxy)],
  reads: (context) => [
    { target: kubeProxy, paths: offKeys.map((key) => [...selectorPath, key]) },
    ...(isManaged(context) ? [{ target: installation, paths: [proxyManagementPath] }] : []),
  ],
  act: (context) => {
    const { act } = write(kubeProxy, withoutKeys);
    return isManaged(context) ? { kind: 'sequence', steps: [unmanaged, { act, done: back }] } : act;
  },
  done: back,
  undo: (context) => ({
    title: restoreUndoTitle,
    act: onceProven(isManaged(context) ? managedAgain : writeBack(context, kubeProxy, withoutKeys)),
    done: { kind: 'no-pods', target: kubeProxy },
    phase: 'proxy',
    ...proxyDurations(context),
  }),
  usualSeconds: (context) => proxyDurations(context).usualSeconds,
  deadlineSeconds: (context) => proxyDurations(context).deadlineSeconds,
});
