import { isInCidr } from '#lib/base/ip.ts';
import { type FlowEnd, ownerName, type PolicyPod } from '#lib/flows/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { fields, flagOrNull, listOf, numberOrNull, text, textMap } from '#lib/kube/read/lenient.ts';
import { type Resource, resources } from '#lib/spec/index.ts';

/** One end of a question: a pod by name, or the first running pod of several, by the name of their owner in flows (`checkout`) or by labels. */
export type EndQuery =
  | { readonly namespace: string; readonly name: string }
  | { readonly namespace: string; readonly labels: string };
const podOf = fields({
  metadata: fields({ namespace: text, name: text, generateName: text, labels: textMap }),
  spec: fields({
    hostNetwork: flagOrNull,
    serviceAccountName: text,
    containers: listOf(fields({ ports: listOf(fields({ name: text, containerPort: numberOrNull, protocol: text })) })),
  }),
  status: fields({ phase: text, podIP: text, podIPs: listOf(fields({ ip: text })) }),
});

/** `nets`: of all network sets. `notEvaluated`: why policies cannot be evaluated for this pod; null if they can. */
export type PodEnd = { readonly pod: (nets: readonly string[]) => PolicyPod; readonly notEvaluated: string | null };

/** The pod at this end with its labels and ports. Null if no such pod exists; flows of an earlier one may. Rejects with a KubeError. */
export async function readEnd(kube: Kube, query: EndQuery, signal: AbortSignal): Promise<PodEnd | null> {
  const found = await findPod(kube, query, signal);
  if (found === null) return null;
  const { metadata, spec, status } = podOf.parse(found);
  const { namespace, name, labels } = metadata;
  const serviceAccount = spec.serviceAccountName || 'default';
  const [namespaceLabels, serviceAccountLabels] = await Promise.all([
    labelsOf(kube, { resource: resources.namespaces, name: namespace }, signal),
    labelsOf(kube, { resource: resources.serviceAccounts, namespace, name: serviceAccount }, signal),
  ]);
  const addresses = status.podIPs.length > 0 ? status.podIPs.map(({ ip }) => ip) : [status.podIP].filter((ip) => ip);
  const pod = (nets: readonly string[]): PolicyPod => ({
    namespace,
    name,
    labels,
    namespaceLabels,
    serviceAccount,
    serviceAccountLabels,
    addresses,
    ports: spec.containers.flatMap(({ ports }) =>
      ports.map((one) => ({ name: one.name, port: one.containerPort ?? 0, protocol: one.protocol || 'TCP' })),
    ),
    inNetworkSet: addresses.some((address) => nets.some((net) => isInCidr(address, net))),
  });
  const notEvaluated =
    spec.hostNetwork === true
      ? `${namespace}/${name} uses the network of its node: policies of host endpoints decide there`
      : null;
  return { pod, notEvaluated };
}

async function findPod(kube: Kube, query: EndQuery, signal: AbortSignal): Promise<KubeObject | null> {
  const { namespace } = query;
  const named = 'name' in query;
  if (named) {
    const found = await kube.get({ resource: resources.pods, namespace, name: query.name }, { signal });
    if (found) return found;
  }
  const pods: KubeObject[] = [];
  const labelled = named ? {} : { labelSelector: query.labels };
  try {
    for await (const { items } of kube.list(resources.pods, { namespace, ...labelled, signal }))
      pods.push(...items.filter((pod) => !named || isNamed(endOfPod(pod), query.name)));
  } catch (error) {
    // Without the right to read pods, the name is still looked up in flows.
    if (!named || !isKubeError(error, 'forbidden')) throw error;
  }
  return pods.find((pod) => podOf.parse(pod).status.phase === 'Running') ?? pods[0] ?? null;
}

/** The name that agents give the pod in flows: pods of one owner are one end (calico.md §6.3). */
function endOfPod(pod: KubeObject): FlowEnd {
  const { namespace, name, generateName } = podOf.parse(pod).metadata;
  return { kind: 'workload', namespace, name: generateName === '' ? name : `${generateName}*`, labels: [] };
}

/** Matches the name as it is shown, or as the flow has it. */
export const isNamed = (end: FlowEnd, name: string) => end.name === name || ownerName(end) === name;

async function labelsOf(
  kube: Kube,
  ref: { resource: Resource; name: string; namespace?: string },
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | null> {
  try {
    const found = await kube.get(ref, { signal });
    return found === null ? null : podOf.parse(found).metadata.labels;
  } catch (error) {
    if (isKubeError(error, 'forbidden')) return null;
    throw error;
  }
}
