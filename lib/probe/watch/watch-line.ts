import { z } from 'zod';
import { serviceKindIds } from '#lib/spec/index.ts';
import { parsedLines } from '../line.ts';

const version = z.literal(1);
/** A time in ms, of the node's boot clock or its wall clock. */
const ms = z.number().int().min(0).max(8e12);
const count = z.number().int().min(0).max(10_000);
const kind = z.enum(serviceKindIds);

/** One line of the log of a pod that tests Services (watch-services.sh). */
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
    /** Attempts, answers, late answers, failures, and for how many ms there has been no answer. */
    kinds: z.partialRecord(kind, z.tuple([count, count, count, count, ms])),
    gaps: z.array(z.object({ kind, at: ms, ms })).max(200),
    restarted: z.array(kind).max(100),
  }),
  z.object({ v: version, watch: z.literal('end'), up: ms }),
]);
export type WatchLine = z.infer<typeof lineSchema>;

/** Parses a log; lines that are not the script's are skipped. */
export function parseWatchLines(log: string): WatchLine[] {
  return parsedLines(log, lineSchema);
}
