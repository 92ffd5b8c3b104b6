import { carriesEndpoint } from '#lib/checks/index.ts';
import { containerNamed, type KubeObject, serviceOf, workloadOf } from '#lib/kube/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { names, type ObjectRef, objectId, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { complaintOf } from './data-plane-objects.ts';
import { met, type Progress, waiting } from './progress.ts';
import { rollingOut } from './rolling-out.ts';
import { wherePresent } from './where-present.ts';

/** Workloads that get the API server's address (operations.md › `endpoint.active`), with the containers that do. Absent ones are not waited for. */
const workloads: { ref: ObjectRef; containers: string[] }[] = [
  {
    ref: { resource: resources.daemonSets, namespace: names.calicoNamespace, name: names.nodeDaemonSet },
    containers: [names.nodeContainer, 'install-cni'],
  },
  {
    ref: { resource: resources.deployments, namespace: names.calicoNamespace, name: names.typhaDeployment },
    containers: [names.typhaDeployment],
  },
  {
    ref: { resource: resources.deployments, namespace: names.calicoNamespace, name: names.kubeControllersDeployment },
    containers: [names.kubeControllersDeployment],
  },
  {
    ref: { resource: resources.deployments, namespace: names.calicoNamespace, name: names.apiServerDeployment },
    containers: [names.apiServerDeployment],
  },
  {
    ref: {
      resource: resources.deployments,
      namespace: names.earlierApiServerNamespace,
      name: names.apiServerDeployment,
    },
    containers: [names.apiServerDeployment],
  },
];

/**
 * Every workload has this address in its template and has rolled out with it. calico-node rolls out node by node, so a wrong address stops at the first
 * node, which is named. `endpoint` null: the ClusterIP of the API's Service, which the operator uses without a ConfigMap.
 */
export async function endpointActive(
  { endpoint }: Extract<Condition, { kind: 'endpoint-active' }>,
  context: ConditionContext,
): Promise<Progress> {
  const { kube, signal } = context;
  const wanted: Wanted = endpoint ? { ...endpoint, earlier: false } : await clusterIP(kube, signal);
  const words = endpoint ? `${endpoint.host}:${endpoint.port}` : 'the address it had before';
  const found = (
    await Promise.all(
      workloads.map(async ({ ref, containers }) => ({
        ref,
        containers,
        object: await wherePresent(context, ref.namespace ?? '', () => kube.get(ref, { signal }), null),
      })),
    )
  ).filter((one): one is typeof one & { object: KubeObject } => one.object !== null);
  if (found.length === 0) {
    const { also } = complaintOf(await kube.get({ resource: resources.tigeraStatuses, name: 'calico' }, { signal }));
    return waiting(`the operator to make the first workload of Calico${also}`);
  }
  const without = found.filter(({ object, containers }) =>
    containers.some((container) => !carries(object, container, wanted)),
  );
  if (without.length > 0) {
    return {
      kind: 'waiting',
      operatorSilent: true,
      awaiting: `the operator to give ${words} to ${without.map(({ ref }) => objectId(ref)).join(', ')}`,
      heldUpBy: [
        {
          kind: 'Deployment',
          namespace: names.operatorNamespace,
          name: names.operatorDeployment,
          detail: 'it has not changed the templates yet',
        },
      ],
    };
  }
  for (const { object } of found) {
    const rolling = await rollingOut(object, { kube, signal }, `with ${words}`);
    if (rolling) return rolling;
  }
  return met(
    found.map(({ ref }) => ({
      object: objectId(ref),
      path: `spec.template env ${names.endpointHostKey}`,
      value: words,
    })),
  );
}

function carries(object: KubeObject, container: string, wanted: Wanted): boolean {
  const found = containerNamed(workloadOf(object), container);
  if (!found) return true;
  const value = (name: string) => found.env.find((one) => one.name === name)?.value ?? null;
  const host = value(names.endpointHostKey);
  // Without a ConfigMap a template has the ClusterIP or nothing, since the kubelet sets the same variables.
  if (wanted.earlier && host === null) return true;
  return carriesEndpoint({ container, host, port: value(names.endpointPortKey) }, wanted);
}

type Wanted = { host: string; port: string; earlier: boolean };

async function clusterIP(kube: ConditionContext['kube'], signal: AbortSignal): Promise<Wanted> {
  const service = await kube.get(
    { resource: resources.services, namespace: 'default', name: 'kubernetes' },
    { signal },
  );
  const { clusterIP: host, ports } = serviceOf(service).spec;
  return { host, port: String(ports[0]?.port ?? ''), earlier: true };
}
