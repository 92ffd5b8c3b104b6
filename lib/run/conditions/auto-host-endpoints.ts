import { agreeing, counted } from '#lib/base/words.ts';
import { calicoMetadata, type Subject } from '#lib/facts/index.ts';
import type { Condition } from '#lib/plan/index.ts';
import { automaticEndpointOf, names, resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** Calico's controllers have made `NODE-auto-hep` for every node, with all labels of the node (calico.md §7): policies select by them. */
export async function autoHostEndpoints(
  _condition: Extract<Condition, { kind: 'auto-host-endpoints' }>,
  { kube, signal }: Pick<ConditionContext, 'kube' | 'signal'>,
): Promise<Progress> {
  const found = new Map<string, Readonly<Record<string, string>>>();
  for await (const { items } of kube.listMetadata(resources.hostEndpoints, { signal }))
    for (const item of items) {
      const { name, labels } = calicoMetadata(item);
      if (labels[names.createdByLabel] === names.kubeControllersDeployment) found.set(name, labels);
    }
  const without: Subject[] = [];
  let nodes = 0;
  for await (const { items } of kube.listMetadata(resources.nodes, { signal }))
    for (const { metadata } of items) {
      nodes++;
      const name = metadata.name ?? '';
      const detail = lackOf(found.get(automaticEndpointOf(name) ?? ''), metadata.labels ?? {});
      if (detail !== null) without.push({ kind: 'Node', namespace: null, name, detail });
    }
  if (without.length === 0)
    return met([{ object: 'HostEndpoint', path: 'metadata.name', value: `on ${nodes} of ${counted(nodes, 'node')}` }]);
  const withOne = nodes - without.length;
  return waiting(
    `a host endpoint for every node: ${withOne} of ${nodes} ${agreeing(withOne, 'has', 'have')} one`,
    without.slice(0, 20),
  );
}

function lackOf(
  labels: Readonly<Record<string, string>> | undefined,
  ofNode: Readonly<Record<string, string>>,
): string | null {
  if (labels === undefined) return 'has none yet';
  const other = Object.entries(ofNode).filter(([key, value]) => labels[key] !== value);
  const [first] = other;
  return first === undefined ? null : `its host endpoint does not have its label ${first[0]} yet`;
}
