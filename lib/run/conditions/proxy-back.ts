import { inParallel } from '#lib/base/async/in-parallel.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import { proxyIsOff } from '#lib/checks/index.ts';
import { isStaticProxy, proxyContainer } from '#lib/facts/index.ts';
import { isKubeError, type KubeObject, type PodState, podState, workloadOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { kubeProxyHealthPort, names, objectId, proxySettleSeconds, resources, runsAgent } from '#lib/spec/index.ts';
import { firstNames } from '../proof/prove-nodes.ts';
import { type ConditionContext, execsAtOnce } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';
import { heldUp, podsOf, rolloutOf } from './rollout.ts';

const chains = /-A KUBE-SERVICES\b|:KUBE-SVC-/;
/**
 * Commands that show the rules of kube-proxy on its node, tried in this order (operations.md › Proxy is back). Where Services have IPv6 addresses only,
 * kube-proxy writes no rules of IPv4.
 */
const looks: { command: string[]; seen: RegExp }[] = [
  { command: ['iptables-save', '-t', 'nat'], seen: chains },
  { command: ['nft', 'list', 'table', 'ip', 'kube-proxy'], seen: /table ip kube-proxy/ },
  { command: ['ip6tables-save', '-t', 'nat'], seen: chains },
  { command: ['nft', 'list', 'table', 'ip6', 'kube-proxy'], seen: /table ip6 kube-proxy/ },
];

/**
 * kube-proxy runs on every node, and its rules are seen there. Readiness of its pods is not enough: most have no readiness probe, and Calico's agent may
 * be deleting the rules at the same time. Where the rules cannot be seen, the step settles after 60 s and 10 ms for each Service. `target` null: the
 * proxy has no DaemonSet.
 */
export async function proxyBack(
  { target }: Extract<Condition, { kind: 'proxy-back' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, signal } = context;
  if (target === null) return withoutDaemonSet(context);
  const daemonSet = await kube.get(target, { signal });
  const id = objectId(target);
  if (!daemonSet) return waiting(`${id} to exist`);
  const rollout = rolloutOf(daemonSet);
  if (rollout.desired === 0) return waiting(`${id} to be scheduled: it wants no pod yet`);
  if (!rollout.complete)
    return {
      kind: 'waiting',
      awaiting: `kube-proxy to run on every node: ${rollout.available} of ${rollout.desired} ${agreeing(rollout.available, 'is', 'are')} ready`,
      ...(await heldUp(kube, daemonSet, signal)),
      done: rollout.available,
      total: rollout.desired,
    };

  const container = proxyContainer(workloadOf(daemonSet).spec.template.spec)?.name ?? names.kubeProxyDaemonSet;
  const pods = (await podsOf(kube, daemonSet, signal)).map((pod) => podState(pod, container));
  return rulesOf(context, { named: id, pods, container, desired: rollout.desired });
}

/** Whether each of these pods has written its rules, and there are as many pods as desired. */
async function rulesOf(
  context: ConditionContext,
  {
    named: id,
    pods,
    container,
    desired,
  }: { named: string; pods: readonly PodState[]; container: string; desired: number },
): Promise<Progress> {
  const services = await countServices(context);
  const results = await inParallel(pods, execsAtOnce, async (pod) => ({
    pod,
    look: pod.ready ? await look(context, pod, container, services) : 'not-yet',
  }));
  const missing = results.filter(({ look }) => look === 'not-yet');
  if (missing.length > 0 || results.length < desired) {
    return {
      kind: 'waiting',
      awaiting: `the rules of ${id} to be there on every node`,
      heldUpBy: missing.slice(0, 20).map(({ pod }) => ({
        kind: 'Node',
        namespace: null,
        name: pod.node ?? pod.name,
        detail: pod.ready ? 'no rules written by kube-proxy since it started' : `kube-proxy ${pod.words}`,
      })),
      done: results.length - missing.length,
      total: desired,
    };
  }
  const blind = results.filter(({ look }) => look !== 'seen');
  if (blind.length === 0)
    return met([
      { object: id, path: 'rules seen', value: `on ${results.length} of ${counted(results.length, 'node')}` },
    ]);
  return {
    kind: 'unknown',
    because: `kube-proxy's rules: not verified on ${firstNames(blind.map(({ pod }) => pod.node ?? pod.name))}: ${blind[0]?.look}`,
    subjects: blind.map(({ pod, look }) => ({
      kind: 'Node',
      namespace: null,
      name: pod.node ?? pod.name,
      detail: look,
    })),
    settleSeconds: proxySettleSeconds(services),
  };
}

/**
 * kube-proxy without a DaemonSet runs on every node. The administrator brings it back node by node, over hours, and a part that runs does not show
 * the rest, so the step never settles by time: each node must show a pod of kube-proxy, or the administrator accepts the step.
 */
async function withoutDaemonSet(context: ConditionContext): Promise<Progress> {
  const facts = await context.readFacts();
  if (proxyIsOff(facts) === true) return waiting('the service proxy to be turned on again, as the instructions say');
  const pods = (await mirrorPods(context)).map((pod) => podState(pod, names.kubeProxyDaemonSet));
  const due = facts.nodes.filter(runsAgent).map(({ name }) => name);
  if (pods.length === 0 || due.length === 0)
    return {
      kind: 'unknown',
      because:
        'The service proxy: not verified on any node, since it has no pods. Look at each node, then accept this step.',
      subjects: [],
    };
  const without = due.filter((node) => !pods.some((pod) => pod.node === node));
  if (without.length === 0)
    return rulesOf(context, { named: 'kube-proxy', pods, container: names.kubeProxyDaemonSet, desired: due.length });
  return {
    kind: 'unknown',
    because: `The service proxy: not verified on ${firstNames(without)}: it has no pod there. If it is still starting, wait; if not, look at each of these nodes, then accept this step.`,
    subjects: without.map((name) => ({ kind: 'Node', namespace: null, name, detail: 'no kube-proxy pod' })),
  };
}

/** kube-proxy as static pods, which kubelets start from a file. */
async function mirrorPods({ kube, signal }: ConditionContext): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  for await (const page of kube.list(resources.pods, { namespace: names.systemNamespace, signal }))
    found.push(...page.items.filter(isStaticProxy));
  return found;
}

/** `seen`, `not-yet`, or why the rules cannot be seen. The rules may be those of an earlier pod, so this pod must have written its own since it started. */
async function look(context: ConditionContext, pod: PodState, container: string, services: number): Promise<string> {
  const { kube, signal } = context;
  let because = '';
  let looked = false;
  for (const { command, seen } of looks) {
    try {
      const result = await kube.exec({ namespace: pod.namespace, name: pod.name, container }, command, {
        signal,
        timeoutMs: 20_000,
      });
      if (result.exitCode !== 0) because = `\`${command.join(' ')}\` answered with exit code ${result.exitCode}`;
      else if (seen.test(result.stdout)) return (await hasSynced(context, pod, services)) ? 'seen' : 'not-yet';
      else looked = true;
    } catch (error) {
      if (!isKubeError(error) || error.code === 'aborted') throw error;
      because = error.message;
      if (error.code === 'forbidden' || error.code === 'unsupported') break;
    }
  }
  return looked ? 'not-yet' : because;
}

/**
 * Whether kube-proxy has written its rules since it started, by its `/healthz`. Where that cannot be asked, it counts as written 10 s and 10 ms for each
 * Service after the start; a proxy that does not reach the API server is not noticed then.
 */
async function hasSynced({ kube, clock, signal }: ConditionContext, pod: PodState, services: number): Promise<boolean> {
  const startedAt = pod.startedAt ?? 0;
  try {
    const answer = await kube.podGet(
      { namespace: pod.namespace, name: pod.name, port: kubeProxyHealthPort, path: '/healthz' },
      { signal, timeoutMs: 10_000 },
    );
    // As Go prints a time, in the container's zone, which is UTC: `2026-11-21 05:23:03.1234 +0000 UTC m=+12.3`.
    const [, day, time] =
      /"lastUpdated":\s*"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(answer.body) ?? [];
    const at = Date.parse(`${day}T${time}Z`);
    if (answer.status === 200 && !Number.isNaN(at)) return at >= startedAt;
    if (answer.status === 503 && !Number.isNaN(at)) return false;
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
  }
  return clock.now() - startedAt >= 10_000 + services * 10;
}

async function countServices({ kube, signal }: ConditionContext): Promise<number> {
  let count = 0;
  for await (const page of kube.listMetadata(resources.services, { signal })) count += page.items.length;
  return count;
}
