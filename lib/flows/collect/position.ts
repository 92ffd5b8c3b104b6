import { z } from 'zod';
import type { Remembered } from '../client/resume.ts';

/** How far a collector came: what another process needs to go on without loss or doubles. */
export type Position = {
  readonly version: 1;
  /** Which process of the aggregator told it (client/find-aggregator.ts). */
  readonly process: string;
  /** When it was connected last, by this machine's clock: seconds since the epoch. */
  readonly at: number;
  readonly remembered: Remembered;
};

const positionSchema: z.ZodType<Position> = z.object({
  version: z.literal(1),
  process: z.string().max(1_000),
  at: z.number(),
  remembered: z.object({
    newest: z.number(),
    newestEnd: z.number(),
    flows: z.array(z.tuple([z.string().max(100), z.number(), z.number()])),
  }),
});

/** Reads what was written by this or another process; null: it says nothing, and collecting begins anew. */
export function readPosition(text: string): Position | null {
  try {
    return positionSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
