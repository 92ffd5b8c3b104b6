import { isIP } from 'node:net';
import { portOf } from '#lib/base/network/ports.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Choices, dialsEndpoint, namedEndpoint } from '#lib/spec/index.ts';
import { uncovered } from '../reading/coverage.ts';
import { type HostPort, parseHostPort, whyNotFromHere } from '../reading/host-port.ts';
import type { Coverage, Facts } from '../schema.ts';

type Probe = Facts['resources']['endpointProbe'];

/**
 * Connects to the address that counts, from the machine that Signalbox runs on, for the goals whose checks test it. Comes last, as the other facts name
 * the address. Rejects with a KubeError `aborted` only.
 */
export async function probeEndpoint(
  kube: Kube,
  facts: Facts,
  choices: Choices | null,
  signal: AbortSignal | undefined,
): Promise<{ probe: Probe; coverage: Coverage }> {
  const target = dialled(kube, facts, choices);
  if ('because' in target) return unknown(target.because);
  try {
    const endpoint = { host: target.host, port: target.port };
    const { servers, leftAlone } = serversOf(facts);
    const seen = await kube.probeEndpoint?.(endpoint, signal === undefined ? { servers } : { servers, signal });
    if (!seen) return unknown(nothingDialled);
    const probe = { endpoint, ...seen, leftAlone: [...seen.leftAlone, ...leftAlone].slice(0, mostNamed) };
    return { probe, coverage: { covered: true, missing: [] } };
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return unknown(error.message);
  }
}

/** Addresses that are listed at the most: anybody who may write EndpointSlices decides how many there are. */
const mostNamed = 64;

const nothingDialled = 'dumps and sandboxes have no network';

function dialled(kube: Kube, facts: Facts, choices: Choices | null): HostPort | { because: string } {
  if (!kube.probeEndpoint) return { because: nothingDialled };
  if (choices !== null && !dialsEndpoint(choices.goal)) return { because: 'no check of this goal needs a connection' };
  const endpoint = namedEndpoint(facts.endpoint, choices);
  if (endpoint === null) return { because: 'there is no endpoint yet, chosen or proposed' };
  const port = portOf(endpoint.port);
  const address = port === null ? null : parseHostPort(endpoint.host, port);
  if (address?.port !== port || address === null)
    return { because: `"${endpoint.host}" and "${endpoint.port}" are not a host and a port` };
  const because = whyNotFromHere(address, servicesOf(facts));
  return because === null ? address : { because };
}

/** Addresses of the API servers by the cluster's EndpointSlice. `leftAlone`: those that mean something else from this machine. The probe limits their number. */
function serversOf(facts: Facts): { servers: HostPort[]; leftAlone: { address: string; because: string }[] } {
  const servers: HostPort[] = [];
  const leftAlone: { address: string; because: string }[] = [];
  for (const address of facts.endpoint.apiServers) {
    const server = parseHostPort(address, 443);
    if (server === null || isIP(server.host) === 0) continue;
    if (whyNotFromHere(server, servicesOf(facts)) === null) servers.push(server);
    else leftAlone.push({ address, because: 'is the address of a Service' });
  }
  return { servers, leftAlone };
}

function servicesOf({ endpoint, cluster }: Facts) {
  return { clusterIPs: endpoint.clusterIPs, serviceCIDRs: cluster.serviceCIDRs };
}

function unknown(because: string): { probe: Probe; coverage: Coverage } {
  return { probe: { because }, coverage: uncovered('endpoint probe', because) };
}
