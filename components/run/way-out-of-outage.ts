import type { RunSummary } from '#lib/run/index.ts';

/** What a button in an outage does first: open the run that has not ended, take the newest one back, turn kube-proxy on again; or nothing. */
export type WayOut = { first: 'open-run' | 'take-back' | 'restore' | null; second: 'restore' | null };

/**
 * Runs exclude each other, so one that has not ended is the way out itself. Only a run that enabled eBPF can have turned kube-proxy off, so only such a
 * one is undone to end an outage: the way back of an install removes the network, that of a restore turns kube-proxy off again. One that ended
 * half-way is undone before all else: its journal has more than the proxy to bring back. After one that is done the smallest change is the right
 * one; where none ends the outage, its way back may. Pure. Source: pain B7.
 * `isOpen`: whether the run has not ended. `canRestore`: whether kube-proxy can be turned on again on its own.
 */
export function wayOutOfOutage(
  run: (Pick<RunSummary, 'goal' | 'state'> & { isOpen: boolean }) | null,
  canRestore: boolean,
): WayOut {
  if (run?.isOpen) return { first: 'open-run', second: null };
  const restore = canRestore ? 'restore' : null;
  const { kind } = run?.state ?? {};
  const isHalf = kind === 'stopped' || kind === 'failed';
  if (run?.goal === 'enable' && (isHalf || (kind === 'done' && !canRestore)))
    return { first: 'take-back', second: restore };
  return { first: restore, second: null };
}
