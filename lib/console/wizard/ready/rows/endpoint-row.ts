import { hostAndPort } from '#lib/base/ip.ts';
import type { WizardContext } from '../../wizard-context.ts';
import { passedOn } from '../row-proof.ts';
import { lastOf, type Row } from './found-row.ts';

export function endpointRow({ endpoint, facts, draft }: WizardContext): Row {
  const { automatic } = draft.answers;
  const isNone = endpoint === null;
  return {
    what: 'API endpoint',
    value: automatic ? 'the operator finds the API servers' : isNone ? 'none could be proposed' : hostAndPort(endpoint),
    ...(automatic || isNone ? {} : { isCode: true as const }),
    source: automatic
      ? 'your choice'
      : endpoint === null
        ? 'nothing names one'
        : {
            chosen: 'your choice',
            'config-map': 'kubernetes-services-endpoint',
            proposal: sourceOfEndpoint(facts),
            'accepted-proposal': sourceOfEndpoint(facts),
          }[endpoint.origin],
    change: 'endpoint',
    checks: endpointChecks,
    good: { words: reachedWords(facts, endpoint), shownBy: 'endpoint.reachable' },
  };
}

const endpointChecks = [
  'endpoint.present',
  'endpoint.form',
  'endpoint.not-cluster-ip',
  'endpoint.not-local',
  'endpoint.reachable',
  'endpoint.certificate',
  'endpoint.resolvable',
  'endpoint.stable',
  'endpoint.namespace',
  'endpoint.bootstrap-exclusive',
  'endpoint.in-use',
  'endpoint.kube-vip',
];

function sourceOfEndpoint({ endpoint: { suggestedFrom } }: WizardContext['facts']): string {
  const [seen] = suggestedFrom?.evidence ?? [];
  return seen === undefined ? 'name of the platform' : lastOf(seen.object);
}

/** What was measured of another address says nothing of this one. */
function reachedWords(facts: WizardContext['facts'], endpoint: WizardContext['endpoint']): string {
  const tested = facts.measured?.endpoint;
  const isTested = tested?.host === endpoint?.host && tested?.port === endpoint?.port;
  return (
    (isTested
      ? (passedOn(facts, 'endpoint-from-pod', (nodes) => `${nodes} reach it, from host and pod`) ??
        passedOn(facts, 'endpoint-from-host', (nodes) => `${nodes} reach it`))
      : null) ?? 'an API server of this cluster answers there'
  );
}
