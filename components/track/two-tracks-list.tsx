import { counted, thousands } from '#lib/base/words.ts';
import type { NodesByPlane } from './nodes-by-plane.ts';

const mostNames = 20;

const parts: readonly { plane: keyof NodesByPlane; words: string }[] = [
  { plane: 'standard', words: 'On the standard track' },
  { plane: 'moving', words: 'Moving to the other track' },
  { plane: 'bpf', words: 'On eBPF' },
  { plane: 'fell-back', words: 'Fell back to the standard track' },
  { plane: 'unknown', words: 'On neither, because nothing tells' },
  { plane: 'not-counted', words: 'Not counted, because they run no agent' },
];

/** The picture's content as a list, for screen readers. */
export function TwoTracksList({ nodes, standard }: { nodes: NodesByPlane; standard: string | null }) {
  return (
    <ol className="sr-only" aria-label="Nodes by track">
      {parts.map(({ plane, words }) => {
        const { length } = nodes[plane];
        if (length === 0) return null;
        const names = nodes[plane].slice(0, mostNames).map(({ name }) => name);
        const rest = length - names.length;
        return (
          <li key={plane}>
            {words}
            {plane === 'standard' && standard !== null ? `, ${standard}` : ''}: {counted(length, 'node')}.{' '}
            {names.join(', ')}
            {rest > 0 ? ` and ${thousands(rest)} more; the table of nodes has them all` : ''}.
          </li>
        );
      })}
    </ol>
  );
}
