import { z } from 'zod';

/** A year: a foreign journal must not lead beyond the range of dates. */
export const mostSeconds = 31_536_000;
const seconds = z.number().int().min(0).max(mostSeconds);

/**
 * What was seen of nodes and conditions, kept with the journal: the events of a stream are lost with its process. Times are seconds before the entry
 * that contains them, and a node is a short list, so that 5,000 of them fit into a journal.
 */
export const seenSchema = z.object({
  /** `[name, state, dataplane, start of its move, start of this state, detail]`; for most without the detail. */
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
