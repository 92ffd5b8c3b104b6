import type { Condition } from '#lib/plan/index.ts';
import { resources } from '#lib/spec/index.ts';
import type { ConditionContext } from './context.ts';
import { met, type Progress, waiting } from './progress.ts';

/** `<node>-auto-hep` of each node (calico.md §7); a longer name is a hash, which nobody looks for. */
export async function autoHostEndpoints(
  _condition: Extract<Condition, { kind: 'auto-host-endpoints' }>,
  { kube, signal }: ConditionContext,
): Promise<Progress> {
  const found = new Set<string>();
  for await (const { items } of kube.listMetadata(resources.hostEndpoints, { signal }))
    for (const { metadata } of items) found.add(metadata.name ?? '');
  const without: string[] = [];
  let nodes = 0;
  for await (const { items } of kube.listMetadata(resources.nodes, { signal }))
    for (const { metadata } of items) {
      const name = `${metadata.name}-auto-hep`;
      nodes++;
      if (name.length <= longestName && !found.has(name)) without.push(metadata.name ?? '');
    }
  if (without.length === 0)
    return met([{ object: 'HostEndpoint', path: 'metadata.name', value: `${nodes} of ${nodes} nodes have one` }]);
  return waiting(
    `a host endpoint for every node: ${nodes - without.length} of ${nodes} have one`,
    without.slice(0, 20).map((name) => ({ kind: 'Node', namespace: null, name, detail: 'has none yet' })),
  );
}

const longestName = 253;
