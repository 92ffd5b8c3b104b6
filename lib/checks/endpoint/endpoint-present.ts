import { hostAndPort } from '#lib/base/ip.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { isCovered } from '../framework/coverage.ts';
import { noneNeeded, ofProviderWhereHosted } from '../framework/endpoint-check.ts';
import {
  configMapId,
  configMapSubject,
  effectiveEndpoint,
  endpointEvidence,
  endpointName,
} from '../reading/effective-endpoint.ts';
import { bootstrapMode } from '../reading/installation.ts';
import { listed, phrase, quoted } from '../wording/sentences.ts';

/** The address that running workloads have does not count: without the ConfigMap the operator gives them the ClusterIP, which fails once the proxy is off. */
export const endpointPresent = defineCheck({
  id: 'endpoint.present',
  group: 'API endpoint',
  severity: 'blocking',
  // The move to the operator comes first: before it nothing uses an accepted address.
  followsFrom: { 'enable.operator-needed': 'open' },
  goals: ['install', 'enable'],
  reads: ['endpointConfigMaps'],
  title: 'An endpoint is settled',
  gap: 'No endpoint is settled',
  topic: 'Endpoint',
  ifIgnored: 'Agents do not find the API server',
  consequence:
    'eBPF mode takes Services over. An agent that reaches the API server through a Service cannot start on a node where that Service does not work yet.',
  remedy: {
    steps: [
      'Choose the address of the load balancer in front of the API servers, or another address that outlives each of them.',
      'Check again.',
    ],
    fixIn: 'endpoint',
  },
  source: 'spec › Resources and their fields › Endpoint config map',
  appliesTo: (facts, choices) => (bootstrapMode(facts, choices) === 'off' ? true : noneNeeded),
  run: (facts, choices) => {
    const endpoint = effectiveEndpoint(facts, choices);
    const { endpointNamespace } = facts.installation;
    const { suggested } = facts.endpoint;
    if (endpoint && endpoint.origin !== 'proposal') {
      return {
        kind: 'pass',
        ...ofProviderWhereHosted(facts, choices),
        because: `${endpointName(endpoint)} is used.`,
        evidence: endpointEvidence(facts, endpoint),
        ...(endpoint.origin === 'chosen' ? { restsOn: [] } : {}),
      };
    }
    if (endpoint && suggested) {
      const doubts = suggested.doubts.length > 0 ? ` Doubtful: ${listed(suggested.doubts, 5)}.` : '';
      return {
        kind: 'fail',
        because: `No endpoint is chosen. ${quoted(hostAndPort(endpoint))} is proposed, because ${phrase(suggested.because)}.${doubts}`,
        subjects: [
          {
            ...configMapSubject(endpointNamespace, `${hostAndPort(endpoint)} is proposed and not accepted yet`),
            ...(facts.resources.objects[configMapId(endpointNamespace)] === null ? { missing: true } : {}),
          },
        ],
        remedy: {
          steps: [
            `Accept the proposal if ${hostAndPort(endpoint)} stays right when an API server is replaced, or choose another address.`,
            'Check again.',
          ],
          command: `signalbox check --goal ${choices.goal} --endpoint ${shellWord(hostAndPort(endpoint))}`,
          fixIn: 'endpoint',
        },
      };
    }
    if (!isCovered(facts, 'endpointConfigMaps')) {
      return {
        kind: 'unknown',
        because: 'No endpoint is chosen, and the ConfigMap that may hold one was not readable.',
      };
    }
    return {
      kind: 'fail',
      because: `No endpoint is chosen, the ConfigMap ${endpointNamespace}/kubernetes-services-endpoint holds none, and none could be proposed.`,
      subjects: [configMapSubject(endpointNamespace, 'holds no host and port')],
      ...ofProviderWhereHosted(facts, choices),
    };
  },
});
