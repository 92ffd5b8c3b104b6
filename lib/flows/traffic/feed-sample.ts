import type { Aggregator } from '../aggregator/aggregator.ts';
import { bucketOf } from '../aggregator/flow-buckets.ts';
import { bucketSeconds, historySeconds } from '../flow.ts';
import { sampleTraffic } from './sample-traffic.ts';

/**
 * Fills an aggregator with an hour of sample traffic, and then with more every second. `now` in seconds since the epoch. Returns a function that
 * stops it.
 */
export function feedSample(aggregator: Pick<Aggregator, 'add'>, now: () => number): () => void {
  let next = bucketOf(now()) - historySeconds;
  const feed = () => {
    for (const current = bucketOf(now()); next < current; next += bucketSeconds)
      for (const flow of sampleTraffic(next)) aggregator.add(flow);
  };
  feed();
  const feeding = setInterval(feed, 1_000);
  feeding.unref();
  return () => clearInterval(feeding);
}
