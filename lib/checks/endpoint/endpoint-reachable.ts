import type { Facts } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { defineEndpointCheck, ofAnAddressForAll } from '../framework/endpoint-check.ts';
import { reachedFromNodes } from '../measured/reached-from-nodes.ts';
import { type EffectiveEndpoint, endpointName, endpointSubject } from '../reading/effective-endpoint.ts';
import { dialEvidence, probeOf, untestedAddresses } from '../reading/endpoint-probe.ts';
import { outageOnEbpf } from '../reading/outage-on-ebpf.ts';
import { listed, phrase } from '../wording/sentences.ts';

/** HTTP codes about the client or the load, which do not show whether the server is ready. */
const notAboutReadiness: ReadonlySet<number> = new Set([401, 403, 429]);

/**
 * Tests from this machine, without credentials: the cluster names this address, and an address that only the cluster names gets no credential. Only a
 * preflight pod can test from each node, on the host and on the pod network.
 */
export const endpointReachable = defineEndpointCheck({
  id: 'endpoint.reachable',
  group: 'API endpoint',
  severity: 'blocking',
  // A malformed address was dialled by nobody.
  followsFrom: { ...ofAnAddressForAll, 'endpoint.form': 'always' },
  goals: ['install', 'enable'],
  reads: ['endpointProbe'],
  title: 'An API server of this cluster answers at the endpoint',
  gap: 'The API server at the endpoint is not ready',
  topic: 'API server at the endpoint',
  ifIgnored: 'Agents that restart lose the API server',
  consequence: 'An agent that restarts and finds no ready API server at this address no longer learns of changes.',
  remedy: {
    steps: [
      'Find out what answers there: a load balancer without a healthy API server behind it, or something else.',
      'Choose another address, or fix this one.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'pain A1, A14',
  evaluate: (endpoint, _address, facts) => {
    const result = reachability(endpoint, facts);
    return endpoint.origin === 'config-map' ? outageOnEbpf(facts, result) : result;
  },
});

function reachability(endpoint: EffectiveEndpoint, facts: Facts): Result {
  const probe = probeOf(facts, endpoint);
  // The result of the nodes counts first, because agents connect from there.
  const seen = reachedFromNodes(facts, endpoint, 'verified');
  if (seen?.kind === 'fail' || seen?.kind === 'unknown') return seen;
  if ('because' in probe) return seen ?? { kind: 'unknown', because: probe.because, restsOn: [] };
  if (probe.ready === null) {
    return {
      kind: 'unknown',
      because: `${endpointName(endpoint)} is ${probe.missed}.`,
      evidence: dialEvidence(probe),
    };
  }
  const { ok, status, failing, refusesStrangers } = probe.ready;
  const evidence = [
    ...dialEvidence(probe),
    { object: endpointSubject(facts, endpoint, '').name, path: 'GET /readyz', value: status },
    ...probe.servers.map((server) => ({
      object: server.address,
      path: 'GET /readyz',
      value: server.ready?.status ?? whyNot(server),
    })),
  ];
  const untested = untestedAddresses(probe);
  if (untested.length > 0)
    return {
      kind: 'unknown',
      because: `${endpointName(endpoint)} leads to more than one address. Not tested: ${listed(untested, 4)}.`,
      evidence,
    };
  if (refusesStrangers) {
    return {
      kind: 'pass',
      because: `${endpointName(endpoint)} answers from here with a certificate of this cluster${took(probe)}. It refuses requests without credentials (${status}), and Signalbox sends none there: readiness not tested.${serversSentence(probe)}`,
      evidence,
    };
  }
  if (ok) {
    return {
      kind: 'pass',
      because: `${endpointName(endpoint)} answers from here and is ready${took(probe)}.${serversSentence(probe)} Each node follows as its agent restarts, one after the other.`,
      evidence,
    };
  }
  if (notAboutReadiness.has(status)) {
    return {
      kind: 'unknown',
      because: `${endpointName(endpoint)} answered /readyz with ${status}, which does not tell whether it is ready.`,
      evidence,
    };
  }
  return {
    kind: 'fail',
    because: `${endpointName(endpoint)} answered /readyz with ${status}: it is not ready${failing.length > 0 ? ` (${listed(failing, 5)} failed)` : ''}.`,
    subjects: [endpointSubject(facts, endpoint, `/readyz answered ${status}`)],
    evidence,
  };
}

type Probe = Exclude<Facts['resources']['endpointProbe'], { because: string }>;

function took({ latency }: Probe): string {
  return latency === null ? '' : `, within ${latency.medianMs} ms`;
}

function whyNot({ connection, certificate }: Probe['servers'][number]): string {
  if (!connection.made) return connection.because;
  return certificate !== null && !certificate.verified ? phrase(certificate.because) : 'no answer';
}

/** The sign of a firewall that admits only the load balancer (pain A14). Reported without a failure, as nodes may be on another network. */
function serversSentence({ servers }: Probe): string {
  if (servers.length === 0) return '';
  const silent = servers.filter(({ ready }) => ready === null);
  if (silent.length === 0)
    return ` So does each API server behind it (${listed(servers.map(({ address }) => address))}).`;
  const why = silent.map((server) => `${server.address}: ${whyNot(server)}`);
  return ` Of the API servers behind it ${silent.length} of ${servers.length} cannot be asked from here (${listed(why)}).`;
}
