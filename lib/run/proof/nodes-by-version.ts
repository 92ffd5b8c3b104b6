import { versionOfImage } from '#lib/facts/index.ts';
import { type KubeObject, type PodState, podOf, podState, workloadOf } from '#lib/kube/index.ts';
import { agentPod, observe, seenNode } from '#lib/node-state/index.ts';
import { compareNumbers, names, parseRelease, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from '../conditions/context.ts';
import { podsOf } from '../conditions/rollout.ts';
import type { NodeState } from '../model/event.ts';

type Spec = ReturnType<typeof podOf>['spec'];

const imageIn = ({ containers }: Pick<Spec, 'containers'>): string | null =>
  containers.find(({ name }) => name === names.nodeContainer)?.image ?? null;

/**
 * Each node by the release that its agent runs, on its way to `version`. *Proven*: the agent is ready with an image of that release, of whatever
 * build (`v3.31.7-fips`, a mirror's suffix). If the tag names no release, or images are named by digest: with the image of the agents' DaemonSet,
 * whose release the operator tells.
 */
export async function nodesByVersion(
  daemonSet: KubeObject,
  version: string,
  { kube, signal }: Pick<ConditionContext, 'kube' | 'signal'>,
): Promise<NodeState[]> {
  const template = imageIn(workloadOf(daemonSet).spec.template.spec);
  const newest = new Map<string, PodState>();
  for (const object of await podsOf(kube, daemonSet, signal)) {
    const pod = podState(object, names.nodeContainer);
    const known = pod.node === null ? undefined : newest.get(pod.node);
    if (pod.node !== null && (!known || pod.createdAt >= known.createdAt)) newest.set(pod.node, pod);
  }
  const cluster = { daemonSet, configurations: new Map(), installationPlane: null };
  const states: NodeState[] = [];
  for await (const page of kube.list(resources.nodes, { signal })) {
    for (const object of page.items) {
      const node = seenNode(object);
      if (!node) continue;
      const pod = newest.get(node.name) ?? null;
      const { apart } = observe({ node, agent: pod && (agentPod(pod.object)?.agent ?? null) }, cluster);
      states.push(apart === null ? stateOf(node.name, pod, { template, version }) : notCounted(node.name, apart));
    }
  }
  return states;
}

function notCounted(name: string, detail: string): NodeState {
  return { name, state: 'not-counted', dataplane: null, detail, evidence: [] };
}

function stateOf(
  name: string,
  pod: PodState | null,
  { template, version: wanted }: { template: string | null; version: string },
): NodeState {
  const shown = (state: NodeState['state'], detail: string, version: string | null = null): NodeState => ({
    name,
    state,
    dataplane: null,
    detail,
    ...(version === null ? {} : { version }),
    evidence: [],
  });
  if (pod === null) return shown('restarting', 'its agent is being replaced');
  const image = imageIn(podOf(pod.object).spec);
  const runs = image === null ? null : versionOfImage(image);
  const numbers = runs === null ? null : parseRelease(runs);
  const isOld = numbers === null ? image !== template : compareNumbers(numbers, parseRelease(wanted) ?? []) !== 0;
  if (isOld) {
    const is = runs === null ? 'an earlier image' : runs;
    return pod.ready
      ? shown('waiting', `its agent runs ${is}`, runs)
      : shown('restarting', `its agent of ${is} ${pod.words}`, runs);
  }
  if (!pod.ready) return shown('restarting', `its agent of ${runs ?? wanted} ${pod.words}`);
  const evidence = {
    object: `${pod.namespace}/Pod/${pod.name}`,
    path: `spec.containers[${names.nodeContainer}].image`,
    value: image,
  };
  return { ...shown('proven', `its agent runs ${runs ?? wanted}`, runs ?? wanted), evidence: [evidence] };
}
