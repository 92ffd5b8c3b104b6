import type { PlatformKind } from '#lib/spec/index.ts';
import { names, platformOf, resources } from '#lib/spec/index.ts';
import { proveNodes, proveProxy, rule } from '../access/rules.ts';
import { defineOperation } from '../define-operation.ts';
import type { PlanContext } from '../operation.ts';
import { onceProvenIs, proxyRef, undoneBy } from '../pins/parts.ts';
import { shortText } from '../pins/pattern.ts';
import { onceProven, proxyDurations, proxyOffReads, proxyOffWhy } from '../proxy/proxy-off.ts';
import { proxyDaemonSet, proxyRemoval } from '../proxy/proxy-removal.ts';

/** For platforms whose row has no text, e.g. static pods on a cluster that was built by hand. */
const offAnywhere =
  'Stop kube-proxy where it is started on each node: remove its static pod manifest, or the flag or unit that starts it; for kubeadm, `--skip-phases=addon/kube-proxy`.';

/** How to turn the proxy on again, for each platform of lib/spec/platforms/platforms.ts › proxy. */
const on: Partial<Record<PlatformKind, string>> = {
  kops: 'Set `kubeProxy.enabled: true` in the cluster spec (`kops edit cluster`), then `kops update cluster --yes` and `kops rolling-update cluster --yes`.',
  rke2: 'Remove `disable-kube-proxy: true` from /etc/rancher/rke2/config.yaml on every server and restart `rke2-server` there, one server at a time; then restart `rke2-agent` on the agents.',
  k3s: 'Start every server without `--disable-kube-proxy` (and without `disable-kube-proxy: true` in /etc/rancher/k3s/config.yaml) and restart `k3s`, one server at a time; then restart `k3s-agent` on the agents.',
  mke: 'Install or upgrade MKE with the `--kube-proxy-mode` that it had before.',
  talos:
    'Set `cluster.proxy.disabled: false` in the machine configuration of the control plane nodes (`talosctl patch machineconfig`), and let `talosctl upgrade-k8s --to` the running version apply the proxy again.',
};
const onAnywhere = 'Start kube-proxy again on each node, as it was started before.';

function textOff(context: PlanContext): string {
  const { proxy } = platformOf(context);
  return proxy.by === 'instructions' ? proxy.text : offAnywhere;
}

/** Tells what no cluster API can do (operations.md › proxy.instructions). The cleanup flag stays false until the check passes. */
export const proxyInstructions = defineOperation({
  id: 'proxy.instructions',
  title: (context) => `Turn kube-proxy off on ${platformOf(context).title}: yours to do`,
  why: (context) =>
    `${proxyOffWhy(context).split('.')[0]}. Here it is started outside of the Kubernetes API; this is looked at again until it is gone.`,
  whenPaused: 'eBPF is proven on every node and the service proxy still runs beside it; its rules are kept.',
  effect: 'traffic',
  reversible: true,
  appliesTo: (context) => proxyRemoval(context) === 'instructions',
  mayWrite: () => ({
    step: {
      act: onceProvenIs({ act: { kind: 'instruct', text: shortText }, done: { kind: 'proxy-gone' } }),
      done: { kind: 'proxy-gone' },
    },
    undo: undoneBy('proxy', {
      act: { kind: 'instruct', text: shortText },
      done: { kind: 'proxy-back', target: proxyRef },
    }),
  }),
  needs: (scope) => [
    ...proveNodes(scope),
    ...proveProxy(names.systemNamespace),
    rule(resources.nodes, ['get', 'list', 'watch']),
  ],
  reads: proxyOffReads,
  act: (context) => onceProven({ act: { kind: 'instruct', text: textOff(context) }, done: { kind: 'proxy-gone' } }),
  done: { kind: 'proxy-gone' },
  undo: (context) => ({
    title: `Turn kube-proxy on again on ${platformOf(context).title}: yours to do`,
    act: { kind: 'instruct', text: on[platformOf(context).kind] ?? onAnywhere },
    done: { kind: 'proxy-back', target: proxyDaemonSet(context) },
    phase: 'proxy',
    usualSeconds: 600,
    deadlineSeconds: 3600 + proxyDurations(context).deadlineSeconds,
  }),
  usualSeconds: 600,
  deadlineSeconds: 3600,
});
