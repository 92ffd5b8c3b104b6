import { counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { wasRead } from '#lib/spec/was-read.ts';

/** `14 nodes`. */
export function nodeCountWords(facts: Pick<Facts, 'nodes' | 'coverage'>): string {
  return wasRead(facts, 'nodes') ? counted(facts.nodes.length, 'node') : 'nodes not read';
}
