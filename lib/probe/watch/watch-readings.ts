import type { Clock, Kube, ServiceReading } from '#lib/kube/index.ts';
import { logOrNull } from '../own-namespace.ts';
import { parseWatchLines } from './watch-line.ts';
import { watchNames } from './watch-objects.ts';
import type { WatchingPod } from './watch-pods.ts';

/** Some ten minutes of a node's output. */
const logLimitBytes = 256 * 1024;

/**
 * The script prints once a second, a bit late on a busy machine. After a longer time a line is missing, and the present one covers only its own
 * second.
 */
const usualSpanMs = 1_000;
const longestSpanMs = 2_500;

/**
 * The newest output of a node's pod. `bootedAt`: when its boot clock was 0, by the reader's clock, because the node's wall clock may be wrong or be
 * set.
 */
export type PodOutput = {
  readonly pod: string;
  readonly boot: string;
  readonly bootedAt: number;
  readonly up: number;
  readonly wall: number;
};

/** What a pod printed since it was read last; keeps in `heard` how far that was. */
export async function newReadings(
  kube: Kube,
  clock: Clock,
  { node, pod }: WatchingPod,
  heard: Map<string, PodOutput>,
  signal: AbortSignal,
): Promise<ServiceReading[]> {
  const before = heard.get(node);
  const since = before?.pod === pod ? before : null;
  const log = await logOrNull(
    kube,
    { namespace: watchNames.namespace, name: pod },
    {
      container: watchNames.container,
      limitBytes: logLimitBytes,
      signal,
      // By the node's own clock, which stamps the log.
      ...(since === null ? {} : { sinceTime: new Date(since.wall - 1_000).toISOString() }),
    },
  );
  // The output is read at the next attempt.
  if (log === null) return [];
  const readings: ServiceReading[] = [];
  let so: PodOutput | null = since;
  const lines = parseWatchLines(log);
  // The pod prints a line each second, so the newest line is of just now.
  const bootedAt = Math.round(clock.now() - (lines.at(-1)?.up ?? 0));
  for (const line of lines) {
    // After a restart of the node the boot clock begins at 0 again.
    if (line.watch === 'begin') {
      const { boot, up, wall } = line;
      if (so === null || boot !== so.boot) so = { pod, boot, bootedAt, up, wall };
      else if (up > so.up) so = { ...so, up };
    }
    if (line.watch !== 'second' || so === null || line.up <= so.up) continue;
    const { bootedAt: zero, up } = so;
    readings.push({
      node,
      at: zero + line.up,
      spanMs: line.up - up > longestSpanMs ? usualSpanMs : line.up - up,
      kinds: Object.fromEntries(
        Object.entries(line.kinds).map(([kind, [tried, answered, late, none, openMs]]) => [
          kind,
          { tried, answered, late, none, openMs },
        ]),
      ),
      gaps: line.gaps.map(({ kind, at, ms }) => ({ kind, at: Math.max(0, zero + at), ms })),
    });
    so = { ...so, up: line.up, wall: line.wall };
    heard.set(node, so);
  }
  return readings;
}
