import type { RunSummary } from '#lib/run/index.ts';

/** The buttons of an outage: open the unfinished run, undo the newest run, turn kube-proxy on again; null: none. */
export type WayOut = { first: 'open-run' | 'take-back' | 'restore' | null; second: 'restore' | null };

/**
 * Runs exclude each other, so an unfinished run must be opened first. Only a run that enabled eBPF can have turned kube-proxy off, so only such a run is undone to
 * end an outage: undoing an install removes the network, and undoing a restore turns kube-proxy off again. A stopped run is undone first, because it has changed
 * more than the proxy. After a finished run, turning kube-proxy on is the smallest change; if that is not possible, undoing may help. Pure. Source: pain B7.
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
