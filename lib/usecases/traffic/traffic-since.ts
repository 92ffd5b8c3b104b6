import type { Window } from '#lib/flows/in-browser.ts';
import type { ChangesOfRun, FlowHistory } from '#lib/flows/index.ts';
import type { Report } from '#lib/run/index.ts';

/** Opens the history of a cluster's flows; null if none is kept. */
export type ComparedHistories = { existing(cluster: string): Promise<ComparedHistory | null> };
type ComparedHistory = Pick<FlowHistory, 'list' | 'spans' | 'newest'>;

/** `window`: compare this time instead of the time since the run's end. Null: this cluster has no history, or it has nothing before or nothing after. */
export async function trafficSince(
  histories: ComparedHistories,
  cluster: string,
  report: Pick<Report, 'startedAt' | 'endedAt'>,
  window: Window | null = null,
): Promise<ChangesOfRun | null> {
  const history = await histories.existing(cluster);
  if (history === null) return null;
  const { changesInHistory } = await import('#lib/flows/index.ts');
  return changesInHistory(history, timesOfRun(report), window);
}

/** Seconds since the epoch. `ended` null: the run is under way. */
export function timesOfRun({ startedAt, endedAt }: Pick<Report, 'startedAt' | 'endedAt'>) {
  const seconds = (time: string) => Date.parse(time) / 1000;
  return { begun: seconds(startedAt), ended: endedAt === null ? null : seconds(endedAt) };
}
