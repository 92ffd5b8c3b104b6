import { nodesByPlane } from '#components/track/nodes-by-plane.ts';
import type { State } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { nodesWereRead, unreadyWorkload, unservedNodes } from '#lib/status/unserved.ts';

/**
 * The data plane's state in a few words: its time, if the API server does not answer; then movement; then the worst state. Short enough to fit beside the panel's
 * title on a telephone, because it changes and another line would move the page. The sentence below the tracks names nodes.
 */
export function planeStateWords({ nodes, stale, status }: Pick<ClusterView, 'nodes' | 'stale' | 'status'>): {
  state: State;
  words: string;
} {
  if (stale) return { state: 'unknown', words: `As of ${stale.since.slice(11, 19)} UTC` };
  const by = nodesByPlane(nodes);
  const count = (plane: keyof typeof by) => by[plane].length;
  const nodeCount = nodes.length - count('not-counted');
  const all = thousands(nodeCount);
  const [standard, bpf, moving, fellBack, unknown] = [
    count('standard'),
    count('bpf'),
    count('moving'),
    count('fell-back'),
    count('unknown'),
  ];
  if (!nodesWereRead({ nodes, status })) return { state: 'unknown', words: 'Not known' };
  if (nodeCount === 0) return { state: 'idle', words: 'No nodes' };
  const unserved = unservedNodes(status, nodes).length;
  if (unserved > 0) return { state: 'bad', words: `No proxy and no eBPF on ${thousands(unserved)} of ${all}` };
  if (moving > 0) return { state: 'now', words: `Moving, ${thousands(bpf)} of ${all} on eBPF` };
  if (fellBack > 0) return { state: 'bad', words: `${thousands(fellBack)} of ${all} fell back` };
  const late = unreadyWorkload(status);
  if (late !== null)
    return { state: 'warn', words: `Not ready on ${thousands(late.missing)} of ${counted(late.desired, 'node')}` };
  if (unknown > 0) return { state: 'unknown', words: `${thousands(unknown)} of ${all} not known` };
  if (bpf === nodeCount) return { state: 'ok', words: 'eBPF on every node' };
  if (standard === nodeCount) return { state: 'ok', words: 'Standard on every node' };
  return { state: 'warn', words: `Mixed, ${thousands(bpf)} of ${all} on eBPF` };
}
