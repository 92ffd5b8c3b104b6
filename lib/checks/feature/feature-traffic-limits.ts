import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import { hasTcx, limitSupport, type TrafficLimit, trafficLimits } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny, type RuleResult } from '../framework/fail-on-any.ts';
import { felixEvidence, felixField } from '../reading/felix.ts';
import { agentNodes } from '../reading/nodes.ts';
import { namesOf, subjectEvidence } from '../reading/subject-names.ts';
import { releaseName, targetRelease } from '../reading/target-release.ts';
import { listed } from '../wording/sentences.ts';

type Limited = Facts['features']['trafficLimits'][number];

export const featureTrafficLimits = defineCheck({
  id: 'feature.traffic-limits',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['installation', 'felix', 'nodes', 'trafficLimits'],
  title: 'eBPF mode enforces the traffic limits of pods',
  gap: 'eBPF mode does not enforce traffic limits of pods',
  topic: 'Traffic limits of pods',
  ifIgnored: 'Pods exceed these limits',
  consequence:
    'From the switch on, these pods send and receive as much as the node can. Before Calico v3.30, pods that the bandwidth plugin limits have no network in eBPF mode.',
  remedy: {
    steps: [
      'Remove the annotations from the templates of these pods.',
      'Or, for bandwidth, use Calico v3.31 or later with kernel 6.6 or RHEL 9.4 on their nodes.',
      'Check again.',
    ],
    details: [
      'Bandwidth also needs `bpfAttachType: TCX` in FelixConfiguration default.',
      'No release limits the number of connections in eBPF mode.',
    ],
  },
  source: 'pain V18; projectcalico/calico#7698',
  run: (facts, choices) => {
    const { trafficLimits: limited } = facts.features;
    if (limited.length === 0)
      return { kind: 'pass', because: 'No pod limits its traffic.', restsOn: ['trafficLimits'] };
    const release = targetRelease(facts, choices);
    const opinions = new Map(trafficLimits.map((row) => [row.id, opinionOf(row, release, facts)]));
    const result = failOnAny<Limited>({
      all: limited,
      noun: 'pod',
      subject: ({ limits: _, ...subject }, detail) => ({ ...subject, detail }),
      evaluate: ({ limits }) => {
        const all = limits.map((id) => opinions.get(id) ?? null);
        const failing = all.filter((one) => typeof one === 'string');
        return failing.length > 0 ? failing.join('; ') : (all.find((one) => one !== null) ?? null);
      },
      because: (failing) =>
        `${counted(failing.length, 'pod')} ${agreeing(failing.length, 'has a limit', 'have limits')} that eBPF mode of ${releaseName(release)} does not hold (${listed([...new Set(failing.map(({ detail }) => detail))], 3)}): ${namesOf(failing)}.`,
      evidence: (pod) => subjectEvidence([pod], 'metadata.annotations'),
    });
    return result.kind === 'fail'
      ? { ...result, evidence: [...(result.evidence ?? []), felixEvidence(facts, 'bpfAttachType')] }
      : result;
  },
});

/** If a limit needs a kernel, every node must have it: the scheduler may place the pod anywhere. */
function opinionOf(row: TrafficLimit, release: string | null, facts: Facts): RuleResult {
  const { title, kernel } = row;
  if (release === null) return { undecided: `${title}: the release of Calico was not read` };
  switch (limitSupport(row, release)) {
    case 'not-read':
      return null;
    case 'cut-off':
      return `${title}: no network beside the bandwidth plugin`;
    case 'not-held':
      return title;
    case 'undecided':
      return { undecided: `${title}: ${release} does not tell` };
    case 'held':
      return kernel === null ? null : opinionOfNodes(title, facts);
  }
}

function opinionOfNodes(title: string, facts: Facts): RuleResult {
  if (felixField(facts, 'bpfAttachType') === 'TC') return `${title}: bpfAttachType is TC, TCX is needed`;
  const verdicts = agentNodes(facts).map((node) => ({ name: node.name, has: hasTcx(node) }));
  const older = verdicts.filter(({ has }) => has === 'no').map(({ name }) => name);
  if (older.length > 0)
    return `${title}: kernel 6.6 is needed, and ${listed(older, 3)} ${agreeing(older.length, 'has', 'have')} an older one`;
  const open = verdicts.filter(({ has }) => has === 'undecided').map(({ name }) => name);
  return open.length > 0 ? { undecided: `${title}: the kernel of ${listed(open, 3)} was not read` } : null;
}
