import { objectId, resources } from '#lib/spec/index.ts';
import { rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import { withoutBookkeeping } from '../diff/without-bookkeeping.ts';
import { kubeProxyConfigMap as target } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import type { PlanContext } from '../operation.ts';
import { recordedMetadata, ref, removed, undoneBy } from '../pins/parts.ts';
import { anyText, bool, either, mapOf, maybe } from '../pins/pattern.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

/** kubeadm reads this ConfigMap as a request for kube-proxy, and would reinstall it at its next upgrade (pain B5). */
export const proxyForgetKubeadm = defineOperation({
  id: 'proxy.forget-kubeadm',
  title: 'Stop kubeadm from reinstalling kube-proxy',
  why: 'While this ConfigMap exists, the next kubeadm upgrade reinstalls kube-proxy, beside eBPF.',
  whenPaused: 'Traffic is as before.',
  effect: 'none',
  reversible: true,
  appliesTo: (context) =>
    (context.choices.forgetKubeadmProxy === true || context.choices.fix.includes('proxy.comes-back')) &&
    ['daemonset', 'managed', 'none'].includes(proxyRemoval(context)) &&
    // Without having been read it could not be restored.
    Object.hasOwn(context.before, objectId(target)),
  mayWrite: () => ({
    step: removed(ref(target), 'Background'),
    undo: either(
      null,
      undoneBy('proxy-configuration', {
        act: {
          kind: 'recreate',
          target: ref(target),
          body: {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: recordedMetadata(target),
            data: maybe(mapOf(anyText)),
            binaryData: maybe(mapOf(anyText)),
            immutable: maybe(bool),
          },
        },
        done: { kind: 'exists', target: ref(target) },
      }),
    ),
  }),
  needs: () => [
    rule(resources.configMaps, ['create'], { namespace: target.namespace ?? '' }),
    rule(resources.configMaps, ['get', 'delete'], { namespace: target.namespace ?? '', names: [target.name] }),
  ],
  reads: [{ target, paths: [['data']] }],
  act: { kind: 'delete', target, propagation: 'Background' },
  done: { kind: 'absent', target },
  undo: (context) => recreation(context),
});

function recreation(context: PlanContext) {
  const object = objectOf(context.before, target);
  if (!object) return null;
  return {
    title: 'Put kube-proxy’s configuration back',
    act: { kind: 'recreate' as const, target, body: withoutBookkeeping(object) },
    done: { kind: 'exists' as const, target },
    phase: 'proxy-configuration' as const,
  };
}
