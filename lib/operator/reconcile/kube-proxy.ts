import { managesProxy } from '#lib/installation/index.ts';
import { names } from '#lib/spec/index.ts';
import { parseSpec } from '../installation/installation.ts';
import type { NextReconcile } from '../process/loop.ts';
import { jittered, leaveDegraded, type Operator, pace } from '../process/operator.ts';
import { managedElsewhere, turnedOff } from '../proxy.ts';
import { reportDeleted, reportFinished, reportGeneration } from '../status/monitor.ts';
import { publish } from '../status/ticker.ts';
import { bpfEnabledOf } from '../switch.ts';
import { refs } from './refs.ts';

/** kubeProxyManagement (calico.md §3.6): the operator owns one key in the nodeSelector of one DaemonSet, and leaves other keys alone. */
export async function reconcileKubeProxy(op: Operator): Promise<NextReconcile> {
  const monitor = op.monitors['kubeproxy-monitor'];
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  const parsed = installation ? parseSpec(installation) : null;
  const managed = op.release.automatic && parsed !== null && 'spec' in parsed && managesProxy(parsed.spec);
  if (!installation || !parsed || !('spec' in parsed) || !managed || installation.metadata.deletionTimestamp) {
    // The status stays Available=False, reason Unknown, until the next tick (automatic-and-stuck-node-3.31.4.jsonl, t=99.31).
    if (monitor.presence === 'tracked') {
      Object.assign(monitor, { presence: 'leaving', ready: false });
      await publish(op, monitor);
      return null;
    }
    if (monitor.presence !== 'leaving') reportDeleted(monitor);
    return null;
  }
  // TigeraStatus does not report the Installation's generation here (automatic-and-stuck-node-3.31.4.jsonl, t=7.15).
  reportGeneration(monitor, null);
  const proxy = await op.kube.get(refs.kubeProxy, { signal: op.signal });
  if (!proxy)
    return leaveDegraded(
      monitor,
      'ResourceNotFound',
      'failed to retrieve kube-proxy DaemonSet: daemonsets.apps "kube-proxy" not found',
    );
  const other = managedElsewhere(proxy);
  if (other)
    return leaveDegraded(
      monitor,
      'ResourceValidationError',
      `failed to validate kube-proxy DaemonSet: it is managed by something else (${other})`,
    );

  // kube-proxy follows bpfEnabled alone: it goes before the first agent on eBPF exists (automatic-and-stuck-node-3.31.4.jsonl, t=6.17), and comes
  // back seconds after eBPF is turned off (install-enable-rollback-3.31.4.jsonl, t=144.48).
  const off = bpfEnabledOf(await op.kube.get(refs.felix, { signal: op.signal })) === true;
  if (off !== turnedOff(proxy)) {
    const value = off ? 'true' : null;
    await op.write.merge(
      refs.kubeProxy,
      proxy,
      { spec: { template: { spec: { nodeSelector: { [names.operatorProxySelector]: value } } } } },
      { guarded: true },
    );
  }
  reportFinished(monitor);
  return { inMs: jittered(pace.periodMs, op.random) };
}
