import { inParallel } from '#lib/base/async/in-parallel.ts';
import { proxyContainer } from '#lib/facts/index.ts';
import { isKubeError, type PodState, podState, workloadOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { names, objectId } from '#lib/spec/index.ts';
import { firstNames } from '../proof/prove-nodes.ts';
import { type ConditionContext, execsAtOnce } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';
import { podsOf } from './rollout.ts';

/** Plain commands, as most images of kube-proxy have no shell. */
const table = ['cat', '/proc/net/ip_vs'];
const device = ['ip', 'link', 'show', 'kube-ipvs0'];
/** Lines of the header that the kernel prints even without virtual servers. */
const headerLines = 3;

type Look = { kind: 'gone' } | { kind: 'left'; detail: string } | { kind: 'blind'; detail: string };

/** What is left of IPVS on one node, asked in the pod of kube-proxy, which shares the node's network. `blind`: the pod could not be asked. */
async function lookAt(pod: PodState, container: string, { kube, signal }: ConditionContext): Promise<Look> {
  const run = (command: string[]) =>
    kube.exec({ namespace: pod.namespace, name: pod.name, container }, command, { signal, timeoutMs: 20_000 });
  try {
    const servers = await run(table);
    const none = servers.exitCode !== 0 && /No such file/i.test(servers.stderr);
    if (servers.exitCode !== 0 && !none) return blind(table, servers.exitCode);
    const first = none
      ? undefined
      : servers.stdout
          .split('\n')
          .slice(headerLines)
          .find((line) => line.trim() !== '');
    if (first !== undefined) return { kind: 'left', detail: first.trim() };
    const link = await run(device);
    if (link.exitCode === 0) return { kind: 'left', detail: 'the interface kube-ipvs0' };
    return /does not exist/i.test(link.stderr) ? { kind: 'gone' } : blind(device, link.exitCode);
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return { kind: 'blind', detail: error.message };
  }
}

function blind(command: string[], exitCode: number): Look {
  return { kind: 'blind', detail: `\`${command.join(' ')}\` answered with exit code ${exitCode}` };
}

/** No node has `kube-ipvs0` or an entry in `/proc/net/ip_vs`. *unknown* where something is left or a pod could not be asked: waiting removes nothing of it. */
export async function ipvsGone(
  { target }: Extract<Condition, { kind: 'ipvs-gone' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, signal } = context;
  const daemonSet = await kube.get(target, { signal });
  if (!daemonSet) return waiting(`${objectId(target)} to exist`);
  const container = proxyContainer(workloadOf(daemonSet).spec.template.spec)?.name ?? names.kubeProxyDaemonSet;
  const pods = (await podsOf(kube, daemonSet, signal)).map((object) => podState(object));
  const looks = await inParallel(pods, execsAtOnce, async (pod) => ({
    name: pod.node ?? pod.name,
    look: await lookAt(pod, container, context),
  }));
  const withLook = (kind: 'left' | 'blind') =>
    looks.flatMap(({ name, look }) => (look.kind === kind ? [{ name, detail: look.detail }] : []));
  const [left, blindNodes] = [withLook('left'), withLook('blind')];
  const subjects = (list: typeof left) =>
    list.map(({ name, detail }) => ({ kind: 'Node', namespace: null, name, detail }));
  if (left.length > 0) {
    return {
      kind: 'unknown',
      because: `IPVS rules remain on ${firstNames(left.map((one) => one.name))}: run \`kube-proxy --cleanup\` there or reboot, node by node.`,
      subjects: subjects(left),
    };
  }
  if (blindNodes.length > 0)
    return {
      kind: 'unknown',
      because: `IPVS rules: not verified on ${firstNames(blindNodes.map((one) => one.name))}.`,
      subjects: subjects(blindNodes),
    };
  return met([{ object: objectId(target), path: `exec ${table.join(' ')}`, value: 'no IPVS rule on any node' }]);
}
