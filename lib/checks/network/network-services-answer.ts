import type { Facts } from '#lib/facts/index.ts';
import { defineCheck } from '../check.ts';
import { notMeasured } from '../framework/not-measured.ts';
import { asMeasured } from '../measured/as-measured.ts';
import { agentNodes } from '../reading/nodes.ts';
import { listed } from '../wording/sentences.ts';

const pauses = 'The run watches the same Services, and pauses because of them.';
/** The consequence if hosts get no answer, by the result of pods there. A run watches from the host's network. */
const onHosts = {
  failed: `Pods on these nodes cannot reach the API or resolve names today. ${pauses}`,
  passed: `Programs and pods on the host's network of these nodes cannot reach the API or resolve names by ClusterIP today; other pods there can. ${pauses}`,
  'not-run': `What is on the host's network of these nodes cannot reach the API or resolve names by ClusterIP today. Whether other pods there can was not tested. ${pauses}`,
} as const;

/** A Service that does not answer before a run would look like the run's fault afterwards. Skipped without a test on the nodes. */
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
  consequence: onHosts.failed,
  remedy: {
    steps: [
      'Look at the service proxy, CoreDNS and the firewall of these nodes, and at policies that apply to hosts.',
      'Test the nodes again.',
    ],
    command: 'signalbox preflight',
  },
  source: 'pain A14, B7; checks.md › Service proxy',
  run: (facts) => {
    const nodes = agentNodes(facts);
    if (!facts.measured?.nodes.some(({ tests }) => tests['services-from-host'] !== undefined) || nodes.length === 0)
      return {
        kind: 'skipped',
        because: 'Services are asked by a test of the nodes, and none of this kind was made.',
      };
    const fromHost = asMeasured(facts, nodes, 'services-from-host', {
      passed: 'The ClusterIP of the API and cluster DNS answer.',
      otherwise: notMeasured(
        'the API and cluster DNS may not answer at their ClusterIP everywhere.',
        'A pod on each node will ask the ClusterIP of the API and cluster DNS.',
        {
          consequence: 'Where Services do not answer on a node that was not tested, the run pauses because of them.',
          remedy: { steps: ['Test these nodes too, or accept this.'], command: 'signalbox preflight' },
        },
      ),
    });
    if (fromHost.kind === 'fail') return { ...fromHost, consequence: consequenceOn(facts, fromHost.subjects) };
    const cutOff = podsCutOff(facts);
    if (cutOff.length === 0) return fromHost;
    const untested = fromHost.kind === 'unknown' ? fromHost.because : '';
    const because = `The ClusterIP of the API and cluster DNS do not all answer in a pod on ${listed(cutOff, 4)}, and no host was found on which they do not: a policy may drop what the test's own pod asks.`;
    return {
      kind: 'unknown',
      because: [because, untested].filter(Boolean).join(' '),
      consequence:
        'Pods on these nodes may be unable to reach the API or resolve names today. The run watches Services from hosts, and does not see that.',
      remedy: {
        steps: [
          'Resolve a name and reach the API from a pod of your own on these nodes. Where both work, accept this.',
        ],
      },
    };
  },
});

/** The consequence for the worst result of pods on these nodes; untested pods count as the worst. */
function consequenceOn({ measured }: Facts, nodes: readonly { readonly name: string }[]): string {
  const tests = new Map(measured?.nodes.map((node) => [node.node, node.tests['services-from-pod']]));
  const inPods = new Set(nodes.map(({ name }) => tests.get(name)?.kind ?? 'not-run'));
  const worst = (['failed', 'not-run'] as const).find((kind) => inPods.has(kind));
  return onHosts[worst ?? 'passed'];
}

/** `NAME (WHY)` of nodes where only the test's pods get no answer. That is no fault of the node: a policy may apply to the test's namespace. */
function podsCutOff({ measured }: Facts): string[] {
  return (measured?.nodes ?? []).flatMap(({ node, tests }) => {
    const pod = tests['services-from-pod'];
    return pod?.kind === 'failed' ? [`${node} (${pod.because})`] : [];
  });
}
