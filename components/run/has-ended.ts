import type { RunState } from '#lib/run/index.ts';

/** Nothing more happens by itself. The browser's copy of lib/run › hasEnded, whose folder does I/O. */
export function hasEndedView({ kind }: RunState): boolean {
  return kind === 'done' || kind === 'undone' || kind === 'stopped' || kind === 'failed';
}
