import type { State } from '#components/ui/state-mark.tsx';
import type { NodeLine } from '#lib/console/wire.ts';

export type Plane = NodeLine['plane'];

/** Planes as the table tells them, in the order in which they are sorted: what wants a look first. */
export const planes: readonly { plane: Plane; state: State; words: string }[] = [
  { plane: 'fell-back', state: 'bad', words: 'Fell back' },
  { plane: 'unknown', state: 'unknown', words: 'Not known' },
  { plane: 'moving', state: 'now', words: 'Moving' },
  { plane: 'standard', state: 'idle', words: 'Standard' },
  { plane: 'bpf', state: 'ok', words: 'eBPF' },
  { plane: 'not-counted', state: 'idle', words: 'Not counted' },
];

export function planeWords(plane: Plane): { state: State; words: string } {
  return planes.find((one) => one.plane === plane) ?? { state: 'unknown', words: plane };
}
