import { counted, thousands } from '#lib/base/words.ts';
import type { NodesByPlane } from './nodes-by-plane.ts';

/** The picture in one sentence: `9 nodes on the standard track, 1 moving, 5 on eBPF, 1 fell back.` What is not there is not told. */
export function tracksSentence(nodes: NodesByPlane): string {
  const parts = [
    { is: nodes.standard.length, words: 'on the standard track' },
    { is: nodes.moving.length, words: 'moving' },
    { is: nodes.bpf.length, words: 'on eBPF' },
    { is: nodes['fell-back'].length, words: 'fell back' },
    { is: nodes.unknown.length, words: 'not known' },
    { is: nodes['not-counted'].length, words: 'not counted' },
  ].filter(({ is }) => is > 0);
  if (parts.length === 0) return 'No node on either track.';
  return `${parts.map(({ is, words }, index) => `${index === 0 ? counted(is, 'node') : thousands(is)} ${words}`).join(', ')}.`;
}
