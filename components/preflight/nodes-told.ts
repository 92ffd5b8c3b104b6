import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';

/** `14 nodes`. None were found only where they were read: a cluster whose nodes nobody may list is not one without nodes. */
export function nodesTold({ nodes, coverage }: Pick<Facts, 'nodes' | 'coverage'>): string {
  return nodes.length === 0 && !coverage.nodes?.covered ? 'nodes not read' : counted(nodes.length, 'node');
}
