import { mostListed, windowOf } from '#lib/flows/in-browser.ts';
import type { FlowHistory, ListedFlows, Query } from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { HostLog } from '../host-log.ts';

/** The sources of a cluster's flows. */
export type SeenBy = {
  readonly kube: Kube;
  readonly cluster: Slug;
  readonly histories: Pick<FlowHistories, 'existing'>;
  readonly log: HostLog;
  /** Replaces the aggregator, for tests. */
  readonly ofAggregator?: (query: Query) => Promise<ListedFlows['flows']>;
};

/**
 * The flows that answer a query with a time, newest first. The history answers alone only if it recorded all of that time that an aggregator could
 * have: perhaps nobody followed flows for days, and then its end is not the present. Otherwise the aggregator answers, and the history adds what is
 * older than that. Rejects as `listFlows` does.
 */
export async function seenFlows(by: SeenBy, query: Query, signal: AbortSignal): Promise<ListedFlows> {
  const { bucketSeconds, historySeconds, lateSeconds, listFlows, withOlder } = await import('#lib/flows/index.ts');
  const now = Date.now() / 1000;
  const hourAgo = now - historySeconds;
  // Absolute times: relative ones would end with the newest flow of the history.
  const window = windowOf(query, now) ?? { since: hourAgo, until: now };
  const [since, until] = [Math.floor(window.since), Math.ceil(window.until)];
  const history = await existingHistory(by);

  const reportedUntil = Math.min(until, now - lateSeconds - bucketSeconds);
  if (history && (until <= hourAgo || (await hasRecorded(history, Math.max(since, hourAgo), reportedUntil, by.log)))) {
    const found = await listed(
      history,
      { ...query, since: { at: since }, until: query.until && { at: until } },
      by.log,
    );
    if (found) return found;
  }
  return withOlder(
    query,
    { since, until },
    now,
    (hour) => (by.ofAggregator ? by.ofAggregator(hour) : listFlows(by.kube, hour, signal)),
    async (older) => history && listed(history, older, by.log),
  );
}

/** The reason why no history opens is shown on the history's own page. */
const existingHistory = ({ histories, cluster }: SeenBy) => histories.existing(cluster).catch(() => null);

const unread = (log: HostLog) => (error: unknown) => {
  log('the history of flows cannot be read', error);
  return null;
};

const listed = (history: FlowHistory, query: Query, log: HostLog) => history.list(query, mostListed).catch(unread(log));

async function hasRecorded(history: FlowHistory, since: number, until: number, log: HostLog): Promise<boolean> {
  const spans = (await history.spans().catch(unread(log))) ?? [];
  return spans.some((span) => span.since <= Math.min(since, until) && span.until >= until);
}
