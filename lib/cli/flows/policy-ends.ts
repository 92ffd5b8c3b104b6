import { isInCidr } from '#lib/base/ip.ts';
import type { PolicyPod } from '#lib/flows/index.ts';
import { isKubeError, type Kube, type KubeObject } from '#lib/kube/index.ts';
import { fields, flagOrNull, listOf, numberOrNull, text, textMap } from '#lib/kube/read/lenient.ts';
import { type Resource, resources } from '#lib/spec/index.ts';
import { visibleLine } from '#lib/text/index.ts';
import { CliError, exit, usageError } from '../exit.ts';

/** One end of a question: a pod by its name, or the pods with these labels, of which the first that runs is asked for. */
export type AskedEnd =
  | { readonly namespace: string; readonly name: string }
  | { readonly namespace: string; readonly labels: string };
export type AskedTarget = { readonly end: AskedEnd; readonly port: number; readonly protocol: string };

export function endOf(word: string): AskedEnd {
  const [, namespace, rest] = /^([a-z0-9-]+)\/(.+)$/.exec(word) ?? [];
  if (namespace === undefined || rest === undefined)
    throw usageError(`${JSON.stringify(word)} is no pod; write NAMESPACE/POD or NAMESPACE/KEY=VALUE`);
  return rest.includes('=') ? { namespace, labels: rest } : { namespace, name: rest };
}

export function targetOf(word: string): AskedTarget {
  const [, end, port, protocol = 'tcp'] = /^(.+):(\d{1,5})(?:\/(tcp|udp|sctp))?$/i.exec(word) ?? [];
  if (end === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw usageError(`${JSON.stringify(word)} names no port; write NAMESPACE/POD:PORT or NAMESPACE/POD:PORT/udp`);
  return { end: endOf(end), port: Number(port), protocol: protocol.toUpperCase() };
}

const podOf = fields({
  metadata: fields({ namespace: text, name: text, labels: textMap }),
  spec: fields({
    hostNetwork: flagOrNull,
    serviceAccountName: text,
    containers: listOf(fields({ ports: listOf(fields({ name: text, containerPort: numberOrNull, protocol: text })) })),
  }),
  status: fields({ phase: text, podIP: text, podIPs: listOf(fields({ ip: text })) }),
});

/** `nets`: of all network sets. `unjudged`: why policies cannot be told for this pod; null: they can. */
export async function readEnd(
  kube: Kube,
  asked: AskedEnd,
  signal: AbortSignal,
): Promise<{ pod: (nets: readonly string[]) => PolicyPod; unjudged: string | null }> {
  const { metadata, spec, status } = podOf.parse(await findPod(kube, asked, signal));
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
  const where = visibleLine(`${namespace}/${name}`);
  const unjudged =
    spec.hostNetwork === true ? `${where} uses the network of its node: policies of host endpoints decide there` : null;
  return { pod, unjudged };
}

async function findPod(kube: Kube, asked: AskedEnd, signal: AbortSignal): Promise<KubeObject> {
  const { namespace } = asked;
  if ('name' in asked) {
    const found = await kube.get({ resource: resources.pods, namespace, name: asked.name }, { signal });
    if (found) return found;
    throw new CliError(exit.notAsAsked, `There is no pod ${namespace}/${visibleLine(asked.name)}.`);
  }
  const pods: KubeObject[] = [];
  for await (const { items } of kube.list(resources.pods, { namespace, labelSelector: asked.labels, signal }))
    pods.push(...items);
  const found = pods.find((pod) => podOf.parse(pod).status.phase === 'Running') ?? pods[0];
  if (found) return found;
  throw new CliError(exit.notAsAsked, `No pod in ${namespace} has the labels ${visibleLine(asked.labels)}.`);
}

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
