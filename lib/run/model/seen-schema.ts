import { z } from 'zod';

/** A year: somebody else's journal must not lead beyond what a date can hold. */
export const mostSeconds = 31_536_000;
const seconds = z.number().int().min(0).max(mostSeconds);

/**
 * What was seen of nodes and conditions, for as long as the journal lives: events of a stream are gone with the process that told them. Times are
 * seconds before the entry that holds it, and a node is a short list: 5,000 of them have to fit into a journal.
 */
export const seenSchema = z.object({
  /** `[name, state, dataplane, began to move, came into this state, detail]`; of many without the detail. */
  nodes: z.array(
    z.tuple([
      z.string(),
      z.enum(['waiting', 'restarting', 'proven', 'refused', 'unknown', 'not-counted']),
      z.enum(['bpf', 'standard']).nullable(),
      seconds.nullable(),
      seconds,
      z.string(),
    ]),
  ),
  conditions: z.array(
    z.object({
      before: seconds,
      object: z.string(),
      type: z.string(),
      status: z.string(),
      message: z.string().nullable(),
    }),
  ),
});
export type Seen = z.infer<typeof seenSchema>;
