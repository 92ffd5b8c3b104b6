import type { Facts } from '#lib/facts/index.ts';
import { defineCheck } from '../check.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { agentNodes } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

/** What does not answer before a run does not answer after it either, and looks like its fault then. Without a test on the nodes nothing is asked. */
export const networkServicesAnswer = defineCheck({
  id: 'network.services-answer',
  group: 'Network',
  severity: 'warning',
  causedByRuns: true,
  goals: ['enable', 'upgrade'],
  reads: ['nodes'],
  title: 'The ClusterIP of the API and cluster DNS answer on every node',
  gap: 'Services do not answer on every node',
  topic: 'Services before the run',
  ifIgnored: 'The run pauses for existing faults',
  consequence:
    'Pods on these nodes cannot reach the API or resolve names today. The run watches the same Services, and pauses because of them.',
  remedy: {
    steps: [
      'Look at the service proxy, CoreDNS and the firewall of these nodes, and at policies that apply to hosts.',
      'Test the nodes again.',
    ],
    command: 'signalbox preflight',
  },
  source: 'pain A14, B7; checks.md › Service proxy',
  run: (facts) => {
    const untested = {
      kind: 'skipped',
      because: 'Services are asked by a test of the nodes, and none of this kind was made.',
    } as const;
    const fromHost = asMeasured(facts, agentNodes(facts), 'services-from-host', {
      says: 'The ClusterIP of the API and cluster DNS answer.',
      otherwise: { kind: 'unknown', because: '' },
    });
    if (fromHost.kind === 'unknown') return untested;
    if (fromHost.kind === 'fail') return fromHost;
    const cutOff = podsCutOff(facts);
    if (cutOff.length === 0) return fromHost;
    return {
      kind: 'unknown',
      because: `The ClusterIP of the API and cluster DNS answer on the host of ${listed(cutOff, 4)}, and not all of them in a pod there: a policy may drop what the test's own pod asks.`,
      remedy: {
        steps: [
          'Resolve a name and reach the API from a pod of your own on these nodes. Where both work, accept this.',
        ],
      },
    };
  },
});

/** A new namespace may have a policy of its own: pods of the test that are cut off alone are no fault of the node. `NAME (WHY)` of their nodes. */
function podsCutOff({ measured }: Facts): string[] {
  return (measured?.nodes ?? []).flatMap(({ node, tests }) => {
    const pod = tests['services-from-pod'];
    return pod?.kind === 'failed' ? [`${node} (${pod.because})`] : [];
  });
}
