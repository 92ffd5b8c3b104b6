import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { wereNodesRead } from '#lib/spec/were-nodes-read.ts';

/** `14 nodes`. */
export function nodeCountWords(facts: Pick<Facts, 'nodes' | 'coverage'>): string {
  return wereNodesRead(facts) ? counted(facts.nodes.length, 'node') : 'nodes not read';
}
