import { z } from 'zod';
import { serviceKindIds } from '#lib/spec/index.ts';
import { parsedLines } from './line.ts';

const version = z.literal(1);
/** Of the boot clock or of the wall's, in ms. */
const ms = z.number().int().min(0).max(8e12);
const count = z.number().int().min(0).max(10_000);
const kind = z.enum(serviceKindIds);

/** One line of the log of a pod that asks services (watch-services.sh). */
const lineSchema = z.discriminatedUnion('watch', [
  z.object({
    v: version,
    watch: z.literal('begin'),
    up: ms,
    wall: ms,
    boot: z.string().max(64),
    interval: z.number().int().min(10).max(10_000),
    kinds: z.array(kind).max(serviceKindIds.length),
  }),
  z.object({
    v: version,
    watch: z.literal('second'),
    n: count.max(1e9),
    up: ms,
    wall: ms,
    /** Tried, answered, answered late, not answered, and for how many ms none has been by now. */
    kinds: z.partialRecord(kind, z.tuple([count, count, count, count, ms])),
    gaps: z.array(z.object({ kind, at: ms, ms })).max(200),
    restarted: z.array(kind).max(100),
  }),
  z.object({ v: version, watch: z.literal('end'), up: ms }),
]);
export type WatchLine = z.infer<typeof lineSchema>;

/** What a log says; a line that is none of the script's is passed over. */
export function parseWatchLines(log: string): WatchLine[] {
  return parsedLines(log, lineSchema);
}
