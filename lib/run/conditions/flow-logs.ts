import { isRecord } from '#lib/base/records.ts';
import { conditionsOf, isTrue, type KubeObject, workloadOf } from '#lib/kube/index.ts';
import { names, type ObjectRef, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { complaintOf, nodeDaemonSet } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';

/** Components of flow logs. TigeraStatus and Deployment have the same name (calico.md §6.1). */
const parts = [
  { name: 'goldmane', resource: resources.goldmanes },
  { name: 'whisker', resource: resources.whiskers },
] as const;

type Context = Pick<ConditionContext, 'kube' | 'signal'>;

/** The Deployments run, and every agent sends its flows. The status is not enough: it is Available for a moment before any agent has restarted (controlplane.md › Recordings 2). */
export async function flowLogsActive(_condition: unknown, context: Context): Promise<Progress> {
  const { kube, signal } = context;
  const components = await Promise.all(
    parts.map(async (part) => ({
      part,
      object: await kube.get({ resource: part.resource, name: 'default' }, { signal }),
    })),
  );
  if (!components[0]?.object) return waiting('Goldmane/default to exist');
  for (const { part, object } of components) {
    const progress = object === null ? null : await partAwaited(part.name, context);
    if (progress) return progress;
  }
  const agents = await kube.get(nodeDaemonSet, { signal });
  if (!agents || !sendsFlows(agents))
    return waiting('the operator to tell calico-node where flows are sent', [await statusOf('goldmane', context)]);
  const rolling = await rollingOut(agents, context, 'with flow logs');
  if (rolling) return rolling;
  return met(
    components.flatMap(({ part, object }) =>
      object === null
        ? []
        : [{ object: `TigeraStatus/${part.name}`, path: 'status.conditions[Available].status', value: 'True' }],
    ),
    'flow logs are on',
  );
}

/** Goldmane and its Deployment are gone, and no agent sends flows. Rejects with a KubeError. */
export async function flowLogsInactive(_condition: unknown, context: Context): Promise<Progress> {
  const { kube, signal } = context;
  if (await kube.get({ resource: resources.goldmanes, name: 'default' }, { signal }))
    return waiting('Goldmane/default to go');
  if (await kube.get(deploymentOf('goldmane'), { signal })) return waiting('what Goldmane made to go');
  const agents = await kube.get(nodeDaemonSet, { signal });
  if (agents && sendsFlows(agents)) return waiting('the operator to tell calico-node that no flows are sent');
  return (agents && (await rollingOut(agents, context, 'without flow logs'))) ?? met();
}

async function partAwaited(name: string, context: Context): Promise<Progress | null> {
  const { kube, signal } = context;
  const deployment = await kube.get(deploymentOf(name), { signal });
  if (!deployment) return waiting(`the operator to make Deployment ${name}`, [await statusOf(name, context)]);
  const rolling = await rollingOut(deployment, context);
  if (rolling) return rolling;
  const status = await kube.get({ resource: resources.tigeraStatuses, name }, { signal });
  return isTrue(conditionsOf(status), 'Available')
    ? null
    : waiting(`TigeraStatus ${name} to be Available`, [await statusOf(name, context)]);
}

async function statusOf(name: string, { kube, signal }: Context) {
  const { complaint } = complaintOf(await kube.get({ resource: resources.tigeraStatuses, name }, { signal }));
  return { kind: 'TigeraStatus', namespace: null, name, detail: complaint ?? 'no status yet' };
}

const deploymentOf = (name: string): ObjectRef => ({
  resource: resources.deployments,
  namespace: names.calicoNamespace,
  name,
});

function sendsFlows(agents: KubeObject): boolean {
  return workloadOf(agents).spec.template.spec.containers.some(
    ({ env }: { env?: unknown }) =>
      Array.isArray(env) && env.some((one: unknown) => isRecord(one) && one.name === names.flowLogsServerEnv),
  );
}
