import { z } from 'zod';
import type { Remembered } from '../client/resume.ts';

/** The position of a collector, from which another process can continue without loss or duplicates. */
export type Position = {
  readonly version: 1;
  /** The aggregator's process that sent the flows (client/find-aggregator.ts). */
  readonly process: string;
  /** When it was last connected, in seconds since the epoch by this machine's clock. */
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

/** Parses a stored position; null if it is unreadable, and collecting begins anew. */
export function readPosition(text: string): Position | null {
  try {
    return positionSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
