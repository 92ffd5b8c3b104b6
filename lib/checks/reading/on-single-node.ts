import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';

/** The result of a check about traffic between nodes where there is one node; null: there are more, or none was read. Pure. */
export function onSingleNode({ nodes }: Pick<Facts, 'nodes'>): Extract<Result, { kind: 'pass' }> | null {
  if (nodes.length !== 1) return null;
  return { kind: 'pass', because: 'There is one node, so nothing crosses nodes.', restsOn: ['nodes'] };
}
