import { portOf, portRange } from '#lib/base/network/ports.ts';
import { defineRawEndpointCheck } from '../framework/endpoint-check.ts';
import { endpointEvidence, endpointName, endpointSubject } from '../reading/effective-endpoint.ts';
import { parseEndpointHost } from '../reading/endpoint-host.ts';
import { quoted } from '../wording/sentences.ts';

/** Calico joins host and port without validation (calico.md §3.2), so a mistake shows only after every agent has restarted. */
export const endpointForm = defineRawEndpointCheck({
  id: 'endpoint.form',
  group: 'API endpoint',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: [],
  title: 'The endpoint is a host name or IP address and a port',
  gap: 'The endpoint is malformed',
  topic: 'Form of the endpoint',
  ifIgnored: 'Agents that restart lose the API server',
  consequence:
    'Nothing checks the value before the agents use it: an agent that restarts with a malformed one cannot reach the API server.',
  remedy: {
    steps: [
      'Give a host name or an IP address, without scheme, brackets or path, and the port on its own.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'checks.md › API endpoint',
  evaluate: (endpoint, facts) => {
    const problems = [hostProblem(endpoint.host), portProblem(endpoint.port)].filter((problem) => problem !== null);
    if (problems.length === 0) return { kind: 'pass', because: `${endpointName(endpoint)} is well formed.` };
    return {
      kind: 'fail',
      because: `${endpointName(endpoint)} is not well formed: ${problems.join('; ')}.`,
      subjects: [endpointSubject(facts, endpoint, problems.join('; '))],
      evidence: endpointEvidence(facts, endpoint),
    };
  },
});

/** `host "https://10.0.0.100:6443/": it is a URL; a host name or an IP address is needed (here: 10.0.0.100 and 6443)`. */
function hostProblem(host: string): string | null {
  const address = parseEndpointHost(host);
  if (address.kind !== 'malformed') return null;
  const { because, guess } = address;
  const here = guess
    ? ` (here: ${guess.host}${guess.port === undefined ? '' : `, and ${guess.port} as the port`})`
    : '';
  return `host ${quoted(host)}: ${because}, a host name or an IP address is needed${here}`;
}

function portProblem(port: string): string | null {
  return portOf(port) === null ? `port ${quoted(port)}: a number from ${portRange} is needed` : null;
}
