import { hostAndPort } from '#lib/base/ip.ts';
import type { Evidence, Facts } from '#lib/facts/index.ts';
import { phrase, sentence } from '../wording/sentences.ts';
import type { EffectiveEndpoint } from './effective-endpoint.ts';
import { sameAddress } from './endpoint-host.ts';

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

/** The result of this machine's probe of the endpoint, or why there is none. `missed` says why parts are null. */
export function probeOf(
  facts: Facts,
  { host, port }: EffectiveEndpoint,
): (Probe & { missed: string }) | { because: string } {
  const probe = facts.resources.endpointProbe;
  if ('because' in probe) return { because: sentence(probe.because) };
  if (String(probe.endpoint.port) !== port || !sameAddress(probe.endpoint.host, host)) {
    return { because: 'Another address was tested: read the cluster again.' };
  }
  return { ...probe, missed: missed(probe) };
}

/** The addresses to which this machine resolved the name; empty if it did not. */
export function resolvedTo(facts: Facts, endpoint: EffectiveEndpoint): string[] {
  const probe = probeOf(facts, endpoint);
  return 'because' in probe || !probe.name.resolved ? [] : probe.name.addresses;
}

function missed({ name, connection }: Probe): string {
  if (!connection.made && connection.notTested) return `not tested: ${phrase(connection.because)}`;
  const trouble = !name.resolved
    ? name.because
    : !connection.made
      ? connection.because
      : 'nothing that could be read came back';
  return `not reachable from where the console runs (${phrase(trouble)})`;
}

/** Evidence for every address that was dialled, and for every address of the cluster that was not, with the reason. */
export function dialEvidence({ dialled, leftAlone }: Probe): Evidence[] {
  return [
    { object: 'this machine', path: 'dialled', value: dialled },
    ...(leftAlone.length > 0
      ? [
          {
            object: 'this machine',
            path: 'not dialled',
            value: leftAlone.map(({ address, because }) => `${address} ${because}`),
          },
        ]
      : []),
  ];
}

/** The endpoint's own addresses that were not dialled and so not tested, each as subject and verb of a sentence. */
export function untestedAddresses({ name, endpoint, leftAlone }: Probe): string[] {
  if (!name.resolved) return [];
  const own = new Set(name.addresses.map((address) => hostAndPort({ host: address, port: String(endpoint.port) })));
  return leftAlone.filter(({ address }) => own.has(address)).map(({ address, because }) => `${address} ${because}`);
}
