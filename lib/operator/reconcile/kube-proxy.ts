import { managesProxy, wantsBpf } from '#lib/installation/index.ts';
import { names } from '#lib/spec/index.ts';
import { parseSpec } from '../installation/installation.ts';
import type { Again } from '../process/loop.ts';
import { jittered, type Operator } from '../process/operator.ts';
import { managedElsewhere, proxyShouldBeOff, turnedOff } from '../proxy.ts';
import { degrade, finished, gone, track } from '../status/monitor.ts';
import { publish } from '../status/ticker.ts';
import { bpfEnabledOf } from '../switch.ts';
import { refs } from './refs.ts';

/** kubeProxyManagement (calico.md §3.6): one key of one DaemonSet's nodeSelector; other keys are not ours. */
export async function reconcileKubeProxy(op: Operator): Promise<Again> {
  const monitor = op.monitors['kubeproxy-monitor'];
  const installation = await op.kube.get(refs.installation, { signal: op.signal });
  const parsed = installation ? parseSpec(installation) : null;
  const managed = op.release.automatic && parsed !== null && 'spec' in parsed && managesProxy(parsed.spec);
  if (!installation || !parsed || !('spec' in parsed) || !managed || installation.metadata.deletionTimestamp) {
    const lingers = op.quirks.has('kubeproxy-monitor-lingers') && monitor.presence === 'tracked';
    if (lingers) {
      Object.assign(monitor, { presence: 'leaving', ready: false });
      await publish(op, monitor);
      return null;
    }
    if (monitor.presence !== 'leaving') gone(monitor);
    op.monitors.changed();
    return null;
  }
  // The generation of the Installation is not reported here (automatic-and-stuck-node-3.31.4.jsonl, t=7.15).
  track(monitor, null);
  const proxy = await op.kube.get(refs.kubeProxy, { signal: op.signal });
  if (!proxy)
    return fail(
      op,
      'ResourceNotFound',
      'failed to retrieve kube-proxy DaemonSet: daemonsets.apps "kube-proxy" not found',
    );
  const other = managedElsewhere(proxy);
  if (other)
    return fail(
      op,
      'ResourceValidationError',
      `failed to validate kube-proxy DaemonSet: it is managed by something else (${other})`,
    );

  const facts = {
    wantsBpf: wantsBpf(parsed.spec),
    bpfEnabled: bpfEnabledOf(await op.kube.get(refs.felix, { signal: op.signal })) === true,
    proxy,
    calicoNode: await op.kube.get(refs.calicoNode, { signal: op.signal }),
  };
  const off = proxyShouldBeOff(facts, op.quirks);
  if (off !== turnedOff(proxy)) {
    const value = off ? 'true' : null;
    await op.write.merge(
      refs.kubeProxy,
      proxy,
      { spec: { template: { spec: { nodeSelector: { [names.operatorProxySelector]: value } } } } },
      { guarded: true },
    );
  }
  finished(monitor);
  op.monitors.changed();
  return { inMs: jittered(op.pace.periodMs, op.random) };
}

function fail(op: Operator, reason: string, message: string): Again {
  degrade(op.monitors['kubeproxy-monitor'], reason, message);
  op.monitors.changed();
  return { inMs: op.pace.unavailableMs };
}
