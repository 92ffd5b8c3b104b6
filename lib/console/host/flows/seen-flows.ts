import { mostListed, windowOf } from '#lib/flows/in-browser.ts';
import type { FlowHistory, ListedFlows, Query } from '#lib/flows/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import type { Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { HostLog } from '../host-log.ts';

/** Where flows of a cluster are asked for. */
export type SeenBy = {
  readonly kube: Kube;
  readonly cluster: Slug;
  readonly histories: Pick<FlowHistories, 'kept'>;
  readonly log: HostLog;
  /** In place of the aggregator, for tests. */
  readonly ofAggregator?: (query: Query) => Promise<ListedFlows['flows']>;
};

/**
 * What is known of a query that says a time, newest first. The history of this console answers alone only where it has recorded all of that time that an
 * aggregator could have: nobody may have followed flows for days, and what a history ends with is not what is now. Otherwise the aggregator answers, and
 * the history tells what is older than all that it told. Rejects as `listFlows` does.
 */
export async function seenFlows(by: SeenBy, query: Query, signal: AbortSignal): Promise<ListedFlows> {
  const { bucketSeconds, historySeconds, lateSeconds, listFlows, withOlder } = await import('#lib/flows/index.ts');
  const now = Date.now() / 1000;
  const hourAgo = now - historySeconds;
  // Times that stand still: relative ones would end with the newest flow of the history.
  const window = windowOf(query, now) ?? { since: hourAgo, until: now };
  const [since, until] = [Math.floor(window.since), Math.ceil(window.until)];
  const history = await kept(by);

  const told = Math.min(until, now - lateSeconds - bucketSeconds);
  if (history && (until <= hourAgo || (await hasRecorded(history, Math.max(since, hourAgo), told, by.log)))) {
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

/** Why none opens is told where the history is shown. */
const kept = ({ histories, cluster }: SeenBy) => histories.kept(cluster).catch(() => null);

const unread = (log: HostLog) => (error: unknown) => {
  log('the history of flows cannot be read', error);
  return null;
};

const listed = (history: FlowHistory, query: Query, log: HostLog) => history.list(query, mostListed).catch(unread(log));

async function hasRecorded(history: FlowHistory, since: number, until: number, log: HostLog): Promise<boolean> {
  const spans = (await history.spans().catch(unread(log))) ?? [];
  return spans.some((span) => span.since <= Math.min(since, until) && span.until >= until);
}
