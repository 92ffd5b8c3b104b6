import { bucketSeconds, type Flow } from '../flow.ts';

/**
 * What a stream needs to remember to go on over reconnects without loss or doubles. Buckets come in order, at the seams not quite (calico.md §6.3–6.4:
 * history and news of one stream may overlap), so that the newest ones are asked for again and what is known of them is passed over.
 */
export type Resume = {
  /** What to ask for next, in seconds as `FlowClient.stream` takes them. */
  from(): number;
  /** `known`: told before, with the same counts. `grown`: the same flow, with more: it takes the place of the one before. */
  take(flow: Flow): 'new' | 'grown' | 'known';
  /** Since when nothing is known, where the aggregator was replaced by one that remembers nothing; null: nothing was told yet. */
  newestEnd(): number | null;
  /** What another process needs to go on here. */
  remembered(): Remembered;
};

/** Seconds since the epoch; `flows`: id, start and size of those that are asked for again. */
export type Remembered = {
  readonly newest: number;
  readonly newestEnd: number;
  readonly flows: readonly (readonly [id: string, start: number, size: number])[];
};

/** Buckets that are asked for again. */
const overlapSeconds = 4 * bucketSeconds;

/**
 * `sinceSeconds`: how far back the first stream begins. At least as far as a bucket needs to be told, so that nothing between two streams is lost.
 * `before`: what an earlier one remembered, which this one goes on from.
 */
export function resumeFrom(sinceSeconds: number, before: Remembered | null = null): Resume {
  const back = Math.max(sinceSeconds, overlapSeconds);
  const remembered = new Map(before?.flows.map(([id, start, size]) => [id, { start, size }]));
  let newest = before?.newest ?? 0;
  let newestEnd = before?.newestEnd ?? 0;
  let begun = 0;
  return {
    from: () => {
      begun = newest;
      return newest === 0 ? -back : Math.max(1, newest - overlapSeconds);
    },
    newestEnd: () => (newest === 0 ? null : newestEnd),
    remembered: () => ({
      newest,
      newestEnd,
      flows: [...remembered].map(([id, { start, size }]) => [id, start, size] as const),
    }),
    take: (flow) => {
      const size = sizeOf(flow);
      const known = remembered.get(flow.id);
      if (known !== undefined && known.size >= size) return 'known';
      // Older than what is remembered, on a stream that went on: it was told then, or nobody can tell.
      if (known === undefined && begun > 0 && flow.start < begun - overlapSeconds) return 'known';
      remembered.set(flow.id, { start: flow.start, size });
      newestEnd = Math.max(newestEnd, flow.end);
      if (flow.start > newest) {
        newest = flow.start;
        for (const [id, { start }] of remembered) {
          if (start < newest - overlapSeconds) remembered.delete(id);
        }
      }
      return known === undefined ? 'new' : 'grown';
    },
  };
}

/** Grows with every report that is added to a flow. */
function sizeOf({ packets, bytes, connections }: Flow): number {
  return packets.in + packets.out + bytes.in + bytes.out + connections.started + connections.completed;
}
