import { counted } from '#lib/base/words.ts';
import { wereNodesRead } from '#lib/console/wizard/index.ts';
import type { Facts } from '#lib/facts/index.ts';

/** `14 nodes`. */
export function nodeCountWords(facts: Pick<Facts, 'nodes' | 'coverage'>): string {
  return wereNodesRead(facts) ? counted(facts.nodes.length, 'node') : 'nodes not read';
}
