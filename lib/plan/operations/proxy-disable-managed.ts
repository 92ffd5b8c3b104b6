import { names, proxyManagementPath } from '#lib/spec/index.ts';
import { proveNodes, writeInstallation } from '../access/rules.ts';
import { defineOperation, write } from '../define-operation.ts';
import { fieldAt, patchAt } from '../objects/field.ts';
import { installation, kubeProxy } from '../objects/object-refs.ts';
import { objectOf } from '../objects/objects.ts';
import { awaited, installationRef, onceProvenIs, patched, ref, sequence, undoneBy } from '../pins/parts.ts';
import { either, exactly } from '../pins/pattern.ts';
import { onceProven, proxyDurations, proxyNeeds, proxyOffReads, proxyOffWhy } from '../proxy/proxy-off.ts';
import { proxyRemoval } from '../proxy/proxy-removal.ts';

const enabled = patchAt(proxyManagementPath, 'Enabled');
const withoutKeys = {
  spec: {
    template: { spec: { nodeSelector: { [names.operatorProxySelector]: null, [names.nonCalicoSelector]: null } } },
  },
};

/**
 * The operator turns kube-proxy off and keeps it off (operators ≥ 1.40; calico.md §3.6). If it managed the proxy already when the plan was made,
 * `installation.options` has paused that until here.
 */
export const proxyDisableManaged = defineOperation({
  id: 'proxy.disable.managed',
  title: ({ choices }) =>
    choices.automatic ? 'Wait until the operator has turned kube-proxy off' : 'Let the operator turn kube-proxy off',
  why: (context) => `${proxyOffWhy(context)} This cluster leaves that to the operator.`,
  whenPaused: 'eBPF is proven on every node; the service proxy may be partly removed. eBPF serves Services.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) === 'managed',
  mayWrite: () => ({
    step: {
      act: onceProvenIs(patched(installationRef, exactly(enabled))),
      done: {
        kind: 'all',
        of: [exactly(write(installation, enabled).done), { kind: 'no-pods', target: ref(kubeProxy) }],
      },
    },
    undo: undoneBy('proxy', {
      act: sequence(
        patched(installationRef, { spec: { calicoNetwork: { kubeProxyManagement: either(null, 'Disabled') } } }),
        awaited({ kind: 'status-not-available', tigeraStatus: names.proxyMonitorStatus }),
        patched(ref(kubeProxy), withoutKeys),
        awaited({ kind: 'proxy-back', target: ref(kubeProxy) }),
      ),
      done: { kind: 'proxy-back', target: ref(kubeProxy) },
    }),
  }),
  needs: (scope) => [writeInstallation, ...proveNodes(scope), ...proxyNeeds(kubeProxy)],
  reads: (context) => [...proxyOffReads(context), { target: installation, paths: [proxyManagementPath] }],
  act: onceProven(write(installation, enabled)),
  done: {
    kind: 'all',
    of: [write(installation, enabled).done, { kind: 'no-pods', target: kubeProxy }],
  },
  /**
   * Management is turned off first: with it on, the operator restores its key as long as eBPF is on; with it off it never removes the key, so we
   * remove both. The value before was not Enabled, because `installation.options` had removed that; its undo comes after eBPF is off.
   */
  undo: (context) => {
    const earlier = fieldAt(objectOf(context.before, installation), proxyManagementPath) ?? null;
    const unmanaged = write(installation, patchAt(proxyManagementPath, earlier === 'Enabled' ? 'Disabled' : earlier));
    const back = { kind: 'proxy-back', target: kubeProxy } as const;
    return {
      title: 'Turn kube-proxy on again',
      act: {
        kind: 'sequence',
        steps: [
          unmanaged,
          { act: { kind: 'wait' }, done: { kind: 'status-not-available', tigeraStatus: names.proxyMonitorStatus } },
          write(kubeProxy, withoutKeys),
          { act: { kind: 'wait' }, done: back },
        ],
      },
      done: back,
      phase: 'proxy',
      ...proxyDurations(context),
    };
  },
  usualSeconds: (context) => proxyDurations(context).usualSeconds + 10,
  deadlineSeconds: (context) => proxyDurations(context).deadlineSeconds + 360,
});
