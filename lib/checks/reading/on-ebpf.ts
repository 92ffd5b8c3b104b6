import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';

/**
 * What only stood in the way of the switch is broken now where the agents are told to use eBPF already: an outage, told before all else. Anything but
 * a fail stays as it is.
 */
export function outageOnEbpf(facts: Facts, result: Result, because = (told: string) => told): Result {
  if (result.kind !== 'fail' || facts.installation.dataplane.actual !== 'BPF' || !isCovered(facts, 'dataplane'))
    return result;
  return { ...result, outage: true, because: because(result.because) };
}
