import { agreeing } from '#lib/base/words.ts';
import type { NodeFact } from '#lib/facts/index.ts';
import { distributionVerdict, type PlatformKind, platformIn } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny, type RuleResult } from '../framework/fail-on-any.ts';
import { agentNodes, nodeEvidence, nodeSubject } from '../reading/nodes.ts';
import { withDetails } from '../reading/subject-names.ts';
import { quoted, shareOf } from '../wording/sentences.ts';

/** Distributions that Calico supports. The agent itself checks only the kernel (calico.md §10). Nodes show AKS too, so no other fact is needed. */
export const nodeDistribution = defineCheck({
  id: 'node.distribution',
  group: 'Nodes',
  severity: 'blocking',
  followsFrom: { 'node.architecture': 'same-subjects', 'node.kernel': 'same-subjects' },
  goals: ['install', 'enable'],
  reads: ['nodes'],
  title: 'Every node runs a distribution release that eBPF mode supports',
  gap: 'Nodes run an unsupported distribution release',
  topic: 'Distributions of the nodes',
  ifIgnored: 'Nobody tests or supports these nodes',
  consequence:
    'Older releases lack parts that eBPF mode needs besides the kernel, and are neither tested nor supported.',
  remedy: { steps: ['Upgrade the distribution of these nodes, or remove them from the cluster.', 'Check again.'] },
  source: 'spec › Limits',
  run: (facts, choices) =>
    failOnAny({
      all: agentNodes(facts),
      noun: 'node',
      subject: nodeSubject,
      evaluate: (node) => opinionOf(node, platformIn(facts, choices)),
      because: (failing, total) =>
        `${shareOf(failing.length, total, 'node')} ${agreeing(failing.length, 'runs', 'run')} a distribution release that is too old: ${withDetails(failing)}.`,
      evidence: (node) => [nodeEvidence(node, 'status.nodeInfo.osImage', node.osImage)],
    }),
});

function opinionOf(node: NodeFact, platform: PlatformKind): RuleResult {
  const { osImage } = node;
  // A node that does not report its system could run one that is too old.
  if (osImage.trim() === '') return { undecided: 'it does not say which system it runs' };
  const verdict = distributionVerdict(node, platform);
  switch (verdict?.has) {
    case undefined:
    case 'yes':
      return null;
    case 'no':
      return `${osImage}, ${verdict?.floor} is needed`;
    case 'undecided':
      return { undecided: `the release of ${quoted(osImage)} is not recognised` };
  }
}
