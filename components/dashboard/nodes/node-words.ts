import type { State } from '#components/ui/state-mark.tsx';
import type { NodeLine } from '#lib/console/wire.ts';
import type { CalicoHere } from '../calico-here.ts';

export type Plane = NodeLine['plane'];

/** Words for data planes in sort order: those that need attention first. */
export const planes: readonly { plane: Plane; state: State; words: string }[] = [
  { plane: 'fell-back', state: 'bad', words: 'Fell back' },
  { plane: 'unknown', state: 'unknown', words: 'Not known' },
  { plane: 'moving', state: 'now', words: 'Moving' },
  { plane: 'standard', state: 'idle', words: 'Standard' },
  { plane: 'bpf', state: 'ok', words: 'eBPF' },
  { plane: 'not-counted', state: 'idle', words: 'Not counted' },
];

/** The same, for a cluster without Calico, whose nodes have no agent. */
export function planesOn(calico: CalicoHere): typeof planes {
  if (calico !== 'nothing') return planes;
  return planes.map((one) => (one.plane === 'unknown' ? { ...one, state: 'idle', words: 'No agent' } : one));
}

export function planeWords(plane: Plane, calico: CalicoHere): { state: State; words: string } {
  return planesOn(calico).find((one) => one.plane === plane) ?? { state: 'unknown', words: plane };
}
