import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';

/**
 * Marks a failure as an outage if the agents already use eBPF: what would be an obstacle before the switch breaks traffic after it. Other results stay as they
 * are. `because` may change the sentence.
 */
export function outageOnEbpf(facts: Facts, result: Result, because = (sentence: string) => sentence): Result {
  if (result.kind !== 'fail' || facts.installation.dataplane.actual !== 'BPF' || !isCovered(facts, 'dataplane'))
    return result;
  return { ...result, outage: true, because: because(result.because) };
}
