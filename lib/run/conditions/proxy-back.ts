import { isKubeError } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { objectId, resources } from '#lib/spec/index.ts';
import { valueAt } from '../fields.ts';
import { met, type Progress, waiting } from '../progress.ts';
import { heldUp, type PodState, podState, podsOf, rolloutOf } from '../rollout.ts';
import type { ConditionContext } from './context.ts';

/** Ways to see the proxy's rules on its node, tried in order (operations.md › Proxy is back). */
const looks: { command: string[]; seen: RegExp }[] = [
  { command: ['iptables-save', '-t', 'nat'], seen: /-A KUBE-SERVICES\b|:KUBE-SVC-/ },
  { command: ['nft', 'list', 'table', 'ip', 'kube-proxy'], seen: /table ip kube-proxy/ },
];

/**
 * Ready says nothing: kube-proxy usually has no readiness probe, and Calico's agent may be deleting its rules meanwhile. It is back when
 * each of its pods runs and its rules are seen on the node; where they cannot be seen, a settle time of 60 s + 10 ms a Service.
 */
export async function proxyBack(
  { target }: Extract<Condition, { kind: 'proxy-back' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, signal } = context;
  if (target === null) return outOfSight(context);
  const daemonSet = await kube.get(target, { signal });
  const id = objectId(target);
  if (!daemonSet) return waiting(`${id} to exist`);
  const rollout = rolloutOf(daemonSet);
  if (rollout.desired === 0) return waiting(`${id} to be scheduled: it wants no pod yet`);
  if (!rollout.complete)
    return {
      kind: 'waiting',
      awaiting: `${id} to run on every node: ${rollout.words}`,
      heldUpBy: await heldUp(kube, daemonSet, signal),
      done: rollout.available,
      total: rollout.desired,
    };

  const container = String(valueAt(daemonSet, ['spec', 'template', 'spec', 'containers', '0', 'name']) ?? 'kube-proxy');
  const pods = (await podsOf(kube, daemonSet, signal)).map((pod) => podState(pod)).filter((pod) => pod.ready);
  const results = await Promise.all(pods.map(async (pod) => ({ pod, look: await look(context, pod, container) })));
  const missing = results.filter(({ look }) => look === 'not-yet');
  if (missing.length > 0) {
    return {
      kind: 'waiting',
      awaiting: `the rules of ${id} to be there on every node`,
      heldUpBy: missing.slice(0, 20).map(({ pod }) => ({
        kind: 'Node',
        namespace: null,
        name: pod.node ?? pod.name,
        detail: 'no rule of kube-proxy there yet',
      })),
      done: results.length - missing.length,
      total: results.length,
    };
  }
  const blind = results.filter(({ look }) => look !== 'seen' && look !== 'not-yet');
  if (blind.length === 0)
    return met([{ object: id, path: 'rules seen', value: `on ${results.length} of ${results.length} nodes` }]);
  const services = await countServices(context);
  return {
    kind: 'unknown',
    because: `Whether kube-proxy's rules are back on ${blind
      .map(({ pod }) => pod.node ?? pod.name)
      .slice(0, 5)
      .join(', ')} cannot be seen: ${blind[0]?.look}`,
    subjects: blind.map(({ pod, look }) => ({
      kind: 'Node',
      namespace: null,
      name: pod.node ?? pod.name,
      detail: look,
    })),
    settleSeconds: 60 + services / 100,
  };
}

/** A proxy without a DaemonSet (embedded, static pods): facts must say that it runs, and nobody can look at its rules. */
async function outOfSight(context: ConditionContext): Promise<Progress> {
  const { proxy } = await context.readFacts();
  if (proxy.running === false || proxy.kind === 'none')
    return waiting('the service proxy to be turned on again, as the instructions say');
  return {
    kind: 'unknown',
    because: "Whether the service proxy's rules are back cannot be seen: it has no pods to look into.",
    subjects: [],
    settleSeconds: 60 + (await countServices(context)) / 100,
  };
}

/** `seen`, `not-yet`, or the reason why it cannot be told. */
async function look({ kube, signal }: ConditionContext, pod: PodState, container: string): Promise<string> {
  let because = '';
  let looked = false;
  for (const { command, seen } of looks) {
    try {
      const result = await kube.exec({ namespace: pod.namespace, name: pod.name, container }, command, {
        signal,
        timeoutMs: 20_000,
      });
      if (result.exitCode !== 0) because = `\`${command.join(' ')}\` answered with exit code ${result.exitCode}`;
      else if (seen.test(result.stdout)) return 'seen';
      else looked = true;
    } catch (error) {
      if (!isKubeError(error) || error.code === 'aborted') throw error;
      because = error.message;
      if (error.code === 'forbidden' || error.code === 'unsupported') break;
    }
  }
  return looked ? 'not-yet' : because;
}

async function countServices({ kube, signal }: ConditionContext): Promise<number> {
  let count = 0;
  for await (const page of kube.listMetadata(resources.services, { signal })) count += page.items.length;
  return count;
}
