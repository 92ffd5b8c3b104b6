import type { Facts } from '#lib/facts/index.ts';
import { phrase, sentence } from '../wording/sentences.ts';
import { sameAddress } from './address.ts';
import type { JudgedEndpoint } from './judged-endpoint.ts';

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

/** What this machine saw of the endpoint, or why it saw nothing. `missed` says what did not come about, for the parts that are null. */
export function probeOf(
  facts: Facts,
  { host, port }: JudgedEndpoint,
): (Probe & { missed: string }) | { because: string } {
  const probe = facts.resources.endpointProbe;
  if ('because' in probe) return { because: sentence(probe.because) };
  if (String(probe.endpoint.port) !== port || !sameAddress(probe.endpoint.host, host)) {
    return { because: 'Another address was dialled than this one: read the cluster again.' };
  }
  return { ...probe, missed: missed(probe) };
}

/** The addresses behind a name as this machine resolved it; none when it did not. */
export function resolvedTo(facts: Facts, endpoint: JudgedEndpoint): string[] {
  const probe = probeOf(facts, endpoint);
  return 'because' in probe || !probe.name.resolved ? [] : probe.name.addresses;
}

function missed({ name, connection }: Probe): string {
  const trouble = !name.resolved
    ? name.because
    : !connection.made
      ? connection.because
      : 'nothing that could be read came back';
  return `not reachable from where the console runs (${phrase(trouble)})`;
}
