import { counted } from '#components/ui/counted.ts';
import type { TrackNode } from './two-tracks-layout.ts';

const mostNames = 20;

const parts: readonly { plane: TrackNode['plane']; words: string }[] = [
  { plane: 'standard', words: 'On the standard track' },
  { plane: 'moving', words: 'Moving to the other track' },
  { plane: 'bpf', words: 'On eBPF' },
  { plane: 'fell-back', words: 'Fell back to the standard track' },
  { plane: 'unknown', words: 'On neither, because nothing tells' },
  { plane: 'not-counted', words: 'Not counted, because they run no agent' },
];

/** What the picture shows, for those who hear it. */
export function TwoTracksList({ nodes, standard }: { nodes: readonly TrackNode[]; standard: string | null }) {
  return (
    <ol className="sr-only" aria-label="Nodes by track">
      {parts.map(({ plane, words }) => {
        const names = nodes.filter((node) => node.plane === plane).map(({ name }) => name);
        if (names.length === 0) return null;
        const rest = names.length - mostNames;
        return (
          <li key={plane}>
            {words}
            {plane === 'standard' && standard !== null ? `, ${standard}` : ''}: {counted(names.length, 'node')}.{' '}
            {names.slice(0, mostNames).join(', ')}
            {rest > 0 ? ` and ${rest.toLocaleString('en')} more; the table of nodes has them all` : ''}.
          </li>
        );
      })}
    </ol>
  );
}
