import { isKubeError } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId } from '#lib/spec/index.ts';
import { valueAt } from '../fields.ts';
import { met, type Progress, waiting } from '../progress.ts';
import { named } from '../proof/prove-nodes.ts';
import { podState, podsOf } from '../rollout.ts';
import type { ConditionContext } from './context.ts';

/** A node that still has IPVS rules shows them here; the header is always there (operations.md › proxy.ipvs-to-iptables). */
const look = [
  'sh',
  '-c',
  'cat /proc/net/ip_vs 2>/dev/null | tail -n +4; ls -d /sys/class/net/kube-ipvs0 2>/dev/null; true',
];

/** On each node no `kube-ipvs0` and an empty `/proc/net/ip_vs`, seen by exec in the proxy's pods; else *unknown*. */
export async function ipvsGone(
  { target }: Extract<Condition, { kind: 'ipvs-gone' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const daemonSet = await kube.get(target, { signal });
  if (!daemonSet) return waiting(`${objectId(target)} to exist`);
  const container = String(valueAt(daemonSet, ['spec', 'template', 'spec', 'containers', '0', 'name']) ?? 'kube-proxy');
  const left: { name: string; detail: string }[] = [];
  const blind: { name: string; detail: string }[] = [];
  for (const pod of (await podsOf(kube, daemonSet, signal)).map((object) => podState(object))) {
    const name = pod.node ?? pod.name;
    try {
      const result = await kube.exec({ namespace: pod.namespace, name: pod.name, container }, look, {
        signal,
        timeoutMs: 20_000,
      });
      if (result.exitCode !== 0) blind.push({ name, detail: `the look answered with exit code ${result.exitCode}` });
      else if (result.stdout.trim() !== '') left.push({ name, detail: result.stdout.trim().split('\n')[0] ?? '' });
    } catch (error) {
      if (!isKubeError(error) || error.code === 'aborted') throw error;
      blind.push({ name, detail: error.message });
    }
  }
  const subjects = (list: typeof left) =>
    list.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  if (left.length > 0) {
    return {
      kind: 'unknown',
      because: `IPVS rules are left on ${named(left.map((one) => one.name))}: run \`kube-proxy --cleanup\` there or reboot, node by node.`,
      subjects: subjects(left),
    };
  }
  if (blind.length > 0)
    return {
      kind: 'unknown',
      because: `Whether IPVS rules are left on ${named(blind.map((one) => one.name))} cannot be seen.`,
      subjects: subjects(blind),
    };
  return met([{ object: objectId(target), path: `exec ${look.join(' ')}`, value: 'no IPVS rule on any node' }]);
}
