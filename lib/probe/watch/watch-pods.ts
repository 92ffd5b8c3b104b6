import { type Kube, podState } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';
import { watchNames } from './watch-objects.ts';

/** `fault`: why the pod has no output, as a phrase; null: it has started. */
export type WatchingPod = { readonly node: string; readonly pod: string; readonly fault: string | null };

/** `refused`: why the DaemonSet cannot make more pods. */
export function faultsOf(
  known: ReadonlySet<string>,
  pods: readonly WatchingPod[],
  refused: string | null,
): Map<string, string> {
  const byNode = new Map(pods.map(({ node, fault }) => [node, fault]));
  return new Map(
    [...known].flatMap((node) => {
      const none = refused === null ? 'it has no pod that asks' : `its pod is refused: ${refused}`;
      const fault = byNode.has(node) ? byNode.get(node) : none;
      return fault ? [[node, fault] as const] : [];
    }),
  );
}

/**
 * A pod of this DaemonSet speaks for the node on which the API has it, whatever it prints. If a node has two, neither counts. `made`: all pods of the
 * DaemonSet, also those without a node.
 */
export async function watchingPods(
  kube: Kube,
  { owner, known, signal }: { owner: string | undefined; known: ReadonlySet<string>; signal: AbortSignal },
): Promise<{ pods: WatchingPod[]; made: { readonly madeAt: number }[] }> {
  const found: WatchingPod[] = [];
  const made: { readonly madeAt: number }[] = [];
  for await (const { items } of kube.list(resources.pods, { namespace: watchNames.namespace, signal }))
    for (const object of items) {
      const controller = object.metadata.ownerReferences?.find((one) => one.controller === true);
      if (owner === undefined || controller?.uid !== owner || object.metadata.deletionTimestamp) continue;
      made.push({ madeAt: Date.parse(String(object.metadata.creationTimestamp)) });
      const { node, name, startedAt, words } = podState(object, watchNames.container);
      const fault = startedAt === null ? `its pod has not started: ${words}` : null;
      if (node !== null && known.has(node)) found.push({ node, pod: name, fault });
    }
  const pods = [...Map.groupBy(found, ({ node }) => node).values()].flatMap((those) =>
    those.length === 1 ? those : [],
  );
  return { pods, made };
}
