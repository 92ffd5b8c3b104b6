import type { Resource } from '#lib/spec/index.ts';
import { isKubeError, KubeError } from '../error.ts';
import type { WatchEvent, WatchOptions } from '../port.ts';
import type { Connection } from './connection.ts';
import { listAll } from './list.ts';
import { openWatchStream } from './watch-stream.ts';
import { backoffMs } from './wire/backoff.ts';
import { joinSignals } from './wire/deadline.ts';

export type WatchTuning = {
  /** A stream that is silent for longer is taken for dead: API servers send a bookmark every minute. */
  stallMs: number;
  backoff: { firstMs: number; baseMs: number; maxMs: number };
  /** After a stream that lived this long or brought an event, the back-off starts from the beginning. */
  settledMs: number;
};

const watchTuning: WatchTuning = {
  stallMs: 75_000,
  backoff: { firstMs: 200, baseMs: 1_000, maxMs: 30_000 },
  settledMs: 10_000,
};

/** How often a watch that once ran retries after 401 or 403, which a starting API server answers until its caches are full. */
const refusalsOnceOpened = 4;
/** After so many silent streams in a row the watch lists again, even for kinds without bookmarks (Events). */
const stallsBeforeList = 2;

/**
 * Lists, then watches from the list's resourceVersion. Resumes from the last resourceVersion when a stream ends, and lists again if that is too old.
 *
 * - The server closes each stream after 4–8 min (jittered, so that a client's watches do not all come back at once), and at every
 *   update of a CRD, twice in an upgrade; the next watch may answer 410 (controlplane.md › Recordings, 4).
 * - A silent stream may be dead, so it is closed and resumed, which is cheap if it was only quiet.
 * - Before each wait, `interrupted` is reported.
 */
export async function* watchResource(
  connection: Connection,
  resource: Resource,
  options: WatchOptions,
  tuning: WatchTuning = watchTuning,
): AsyncGenerator<WatchEvent> {
  const ending = joinSignals(options.signal, connection.closed);
  const { signal } = ending;
  const scope = { ...options, signal };
  /** The resourceVersion of the last reported event; null: list again. */
  let position: string | null = null;
  let opened = false;
  let failures = 0;
  let refusals = 0;
  let stalls = 0;
  let expiries = 0;

  try {
    while (!signal.aborted) {
      let trouble: KubeError | null = null;
      try {
        if (position === null) {
          const { objects, resourceVersion } = await listAll(connection, resource, scope);
          position = resourceVersion;
          yield { type: 'synced', objects, resourceVersion };
        }
        const stream = await openWatchStream(connection, resource, scope, position, tuning.stallMs);
        const openedAt = performance.now();
        opened = true;
        refusals = 0;
        let brought = false;
        for await (const event of stream.events) {
          brought = true;
          failures = 0;
          stalls = 0;
          expiries = 0;
          position =
            event.type === 'bookmark' ? event.resourceVersion : (event.object.metadata.resourceVersion ?? position);
          yield event;
        }
        if (stream.ended() === 'silent') {
          stalls += 1;
          if (stalls >= stallsBeforeList) position = null;
          continue;
        }
        if (brought || performance.now() - openedAt >= tuning.settledMs) {
          failures = 0;
          expiries = 0;
          continue;
        }
        // Closed normally but at once. The first time it is a CRD update or a restart; repeated, it is a failure.
        if (failures++ === 0) continue;
        trouble = new KubeError(
          'unreachable',
          `${connection.access.server.host} closes each watch on ${resource.plural} at once.`,
        );
      } catch (error) {
        if (signal.aborted) return;
        if (!isKubeError(error)) throw error;
        refusals = isKubeError(error, 'unauthorized', 'forbidden') ? refusals + 1 : 0;
        const starting = refusals > 0 && opened && refusals < refusalsOnceOpened;
        if (isKubeError(error, 'unauthorized', 'forbidden', 'credentials', 'invalid') && !starting) throw error;
        if (isKubeError(error, 'expired', 'not-served', 'protocol')) position = null;
        // Listing again fixes it; only if it expires again, wait.
        if (isKubeError(error, 'expired') && expiries++ === 0) continue;
        failures += 1;
        trouble = error;
      }
      const retryInMs = Math.max(
        backoffMs(failures, connection.random, tuning.backoff),
        trouble.detail.retryAfterMs ?? 0,
      );
      yield { type: 'interrupted', because: trouble, retryInMs };
      await connection.clock.sleep(retryInMs, signal).catch(() => {});
    }
  } finally {
    ending.dispose();
  }
}
