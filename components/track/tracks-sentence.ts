import { counted } from '#components/ui/counted.ts';
import type { TrackNode } from './two-tracks-layout.ts';

/** The picture in one sentence: `9 nodes on the standard track, 1 moving, 5 on eBPF, 1 fell back.` What is not there is not told. */
export function tracksSentence(nodes: readonly TrackNode[]): string {
  const count = (plane: TrackNode['plane']) => nodes.filter((node) => node.plane === plane).length;
  const parts = [
    { is: count('standard'), words: 'on the standard track' },
    { is: count('moving'), words: 'moving' },
    { is: count('bpf'), words: 'on eBPF' },
    { is: count('fell-back'), words: 'fell back' },
    { is: count('unknown'), words: 'not known' },
    { is: count('not-counted'), words: 'not counted' },
  ].filter(({ is }) => is > 0);
  if (parts.length === 0) return 'No node on either track.';
  return `${parts.map(({ is, words }, index) => `${index === 0 ? counted(is, 'node') : is.toLocaleString('en')} ${words}`).join(', ')}.`;
}
