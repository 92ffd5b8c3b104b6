import { bucketSeconds, type Flow } from '../flow.ts';

/**
 * Remembers what a stream has delivered, so that it continues after a reconnect without loss or duplicates. Buckets arrive in order except at the
 * seams (calico.md §6.3–6.4: history and news of a stream may overlap), so the newest ones are requested again and known flows skipped.
 */
export type Resume = {
  /** The `gte` for the next `FlowClient.stream`, in seconds. */
  from(): number;
  /** `known`: delivered before, with the same counts. `grown`: the same flow with higher counts; it replaces the earlier one. */
  take(flow: Flow): 'new' | 'grown' | 'known';
  /** The end of the newest flow: if the aggregator was replaced, later flows may be lost. Null if there was none. */
  newestEnd(): number | null;
  /** What another process needs to continue here. */
  remembered(): Remembered;
};

/** Seconds since the epoch; `flows`: id, start and size of the flows that will be requested again. */
export type Remembered = {
  readonly newest: number;
  readonly newestEnd: number;
  readonly flows: readonly (readonly [id: string, start: number, size: number])[];
};

/** The length of the part that is requested again. */
const overlapSeconds = 4 * bucketSeconds;

/**
 * `sinceSeconds`: how far back the first stream begins, at least the overlap, so that nothing between two streams is lost. `before`: what an earlier
 * follower remembered.
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
      // It is older than the flows that are remembered, on a stream that was resumed: taken as delivered before, because nothing tells whether it
      // was.
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

/** A number that grows with every report that is added to the flow. */
function sizeOf({ packets, bytes, connections }: Flow): number {
  return packets.in + packets.out + bytes.in + bytes.out + connections.started + connections.completed;
}
