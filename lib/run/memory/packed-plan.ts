import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { unchanging } from '#lib/base/unchanging.ts';
import { type Plan, parsePlan } from '#lib/plan/index.ts';

/** A plan of 5,000 nodes is far smaller; a larger one is not ours. */
export const planBytesLimit = 32 * 1024 * 1024;

/** Plans that were read last, by the hash of their bytes. Large ones are not kept: a few would fill the memory. */
const known = new Map<string, Plan>();
const mostKnown = 16;
const packedBytesKnown = 200 * 1024;

/**
 * Unpacks a plan from gzipped JSON; the result is immutable. A run's plan is read whenever the run is looked at and is nearly always the same, so it
 * is parsed once. Throws what gunzip, JSON.parse and parsePlan throw.
 */
export function unpackedPlan(packed: Buffer): Plan {
  const parse = () =>
    unchanging(parsePlan(JSON.parse(gunzipSync(packed, { maxOutputLength: planBytesLimit }).toString('utf8'))));
  if (packed.length > packedBytesKnown) return parse();
  const name = createHash('sha256').update(packed).digest('hex');
  const plan = known.get(name) ?? parse();
  known.delete(name);
  known.set(name, plan);
  if (known.size > mostKnown) for (const oldest of [...known.keys()].slice(0, 1)) known.delete(oldest);
  return plan;
}
