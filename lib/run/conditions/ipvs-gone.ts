import { inParallel } from '#lib/base/async/in-parallel.ts';
import { proxyContainer } from '#lib/facts/index.ts';
import { isKubeError, type PodState, podState, workloadOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { ipvs, names, objectId } from '#lib/spec/index.ts';
import { firstNames } from '../proof/prove-nodes.ts';
import { type ConditionContext, execsAtOnce } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';
import { podsOf } from './rollout.ts';

const command = ['cat', ...ipvs.files];
const server = new RegExp(ipvs.server);

type Look = { kind: 'gone' } | { kind: 'left'; detail: string } | { kind: 'blind'; detail: string };

/** What is left of IPVS on one node, asked in the pod of kube-proxy, which shares the node's network. `blind`: the pod could not be asked. */
async function lookAt(pod: PodState, container: string, { kube, signal }: ConditionContext): Promise<Look> {
  const { namespace, name } = pod;
  try {
    return lookIn(await kube.exec({ namespace, name, container }, command, { signal, timeoutMs: 20_000 }));
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return { kind: 'blind', detail: error.message };
  }
}

function lookIn({ stdout, stderr, exitCode }: Awaited<ReturnType<ConditionContext['kube']['exec']>>): Look {
  const lines = stdout.split('\n').map((text) => text.trim());
  const first = lines.find((text) => server.test(text));
  if (first !== undefined) return { kind: 'left', detail: first };
  if (lines.some((text) => text.startsWith(`${ipvs.device}:`)))
    return { kind: 'left', detail: `the interface ${ipvs.device}` };
  const isWhole = exitCode === 0 || /ip_vs.*No such file/i.test(stderr);
  if (isWhole && lines.some((text) => text.startsWith('lo:'))) return { kind: 'gone' };
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
  return met([{ object: objectId(target), path: `exec ${command.join(' ')}`, value: 'no IPVS rule on any node' }]);
}
