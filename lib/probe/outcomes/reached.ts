import { hostAndPort } from '#lib/base/ip.ts';
import type { NodeMeasurement, TestOutcome } from '#lib/kube/index.ts';
import { testedServices } from '../line.ts';
import type { ProbeSettings } from '../objects/settings.ts';
import {
  allOf,
  failed,
  lineOf,
  linesOf,
  type Named,
  type NodeReport,
  notRun,
  passed,
  type Question,
} from './report.ts';

/** API servers that at least one node reaches. One that no node reaches is not a node's fault. */
export function reachedServers({ apiServers = [] }: Question, reports: readonly NodeReport[]): ReadonlySet<string> {
  const known = new Set(apiServers.map(hostAndPort));
  const answers = reports.flatMap(({ host, pod }) =>
    [host, pod].flatMap((output) => allOf(linesOf(output), 'api-server')),
  );
  return new Set(answers.flatMap((line) => (line.ok && known.has(hostAndPort(line)) ? [hostAndPort(line)] : [])));
}

/**
 * Tests the endpoint itself, each address of its name on the node, and every API server behind the API's Service that another test pod reaches: if a
 * node may only reach the load balancer, connections to the ClusterIP fail now and then (pain A14).
 */
export function endpointOutcome(
  { endpoint }: Question,
  output: NodeReport['host'],
  reached: ReadonlySet<string>,
): TestOutcome {
  if (endpoint === null) return notRun('there is no address to test');
  if ('because' in output) return notRun(output.because);
  const line = lineOf(output, 'endpoint');
  if (line === undefined || line.host !== endpoint.host || line.port !== endpoint.port) return notRun('it did not say');
  const named = `${endpoint.host}:${endpoint.port}`;
  // An address that does not answer is more precise than the name, which may try it first.
  const addresses = allOf(output, 'endpoint-address').filter(({ port }) => port === endpoint.port);
  const away = addresses.flatMap((one) => (one.ok ? [] : [`${one.host}: ${one.because}`]));
  if (away.length > 0) {
    const which = addresses.length === 1 ? '' : `${away.length} of its ${addresses.length} addresses, `;
    return failed(`${named}: ${which}${away[0]}`);
  }
  if (!line.ok) return failed(`${named}: ${line.because}`);
  const lost = allOf(output, 'api-server').flatMap((one) =>
    !one.ok && reached.has(hostAndPort(one)) ? [`${hostAndPort(one)}: ${one.because}`] : [],
  );
  return lost.length === 0
    ? passed
    : failed(`an API server that others reach, ${lost[0]}${lost.length > 1 ? `, and ${lost.length - 1} more` : ''}`);
}

/** The tests of Services from the host and from a pod, if any Service is known. */
export function servicesOutcomes({ services }: Question, { host, pod }: NodeReport): Partial<NodeMeasurement['tests']> {
  const tested = services === undefined ? [] : testsOf(services);
  if (tested.length === 0) return {};
  const outcome = (output: NodeReport['host']): TestOutcome => {
    if ('because' in output) return notRun(output.because);
    const lines = tested.map(({ probe, address, words }) => {
      const line = output.find((one) => one.probe === probe && one.host === address.host && one.port === address.port);
      return { words: `${words}, ${hostAndPort(address)}`, line: line as Named<typeof probe> | undefined };
    });
    const silent = lines.flatMap(({ words, line }) => (line?.ok === false ? [`${words}: ${line.because}`] : []));
    if (silent.length > 0) return failed(silent.join('; '));
    const unanswered = lines.find(({ line }) => line === undefined);
    return unanswered === undefined ? passed : notRun(`it did not say of ${unanswered.words}`);
  };
  return { 'services-from-host': outcome(host), 'services-from-pod': outcome(pod) };
}

type TestedService = (typeof testedServices)[number];

const servicesTested: Record<TestedService, { readonly of: 'api' | 'dns'; readonly words: string }> = {
  'service-api': { of: 'api', words: 'the ClusterIP of the API' },
  'service-dns-udp': { of: 'dns', words: 'cluster DNS over UDP' },
  'service-dns-tcp': { of: 'dns', words: 'cluster DNS over TCP' },
};

function testsOf(services: NonNullable<ProbeSettings['services']>) {
  return testedServices.flatMap((probe) => {
    const { of, words } = servicesTested[probe];
    const address = services[of];
    return address === null ? [] : [{ probe, address, words }];
  });
}
