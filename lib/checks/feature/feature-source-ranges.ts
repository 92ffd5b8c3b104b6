import { type Cidr, contains, formatCidr, parseCidr } from '#lib/base/ip.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { defineCheck } from '../check.ts';
import { failOnAny } from '../framework/fail-on-any.ts';
import { plannedField } from '../reading/planned-installation.ts';
import { withDetails } from '../reading/subject-names.ts';
import { listed } from '../wording/sentences.ts';

type Balanced = Facts['features']['loadBalancers'][number];

export const featureSourceRanges = defineCheck({
  id: 'feature.source-ranges',
  group: 'Features',
  severity: 'warning',
  goals: ['install', 'enable'],
  reads: ['loadBalancers', 'pools'],
  title: 'Source ranges of load balancers allow pods',
  gap: 'Source ranges of load balancers exclude pods',
  topic: 'Source ranges of load balancers',
  ifIgnored: 'Pods cannot use these load balancers',
  consequence:
    'eBPF applies these ranges to pods too; the service proxy did not. Pods that use the load balancer from inside the cluster are refused.',
  remedy: {
    steps: [
      "Add the pods' addresses to `loadBalancerSourceRanges` of these Services.",
      'Or accept this, where no pod goes through the load balancer.',
    ],
    fixIn: 'compatibility',
  },
  source: 'pain E9',
  run: (facts, choices) => {
    const limited = facts.features.loadBalancers.filter(({ sourceRanges }) => sourceRanges.length > 0);
    if (limited.length === 0)
      return { kind: 'pass', because: 'No load balancer is limited to some addresses.', restsOn: ['loadBalancers'] };
    const pods = podRanges(facts, choices);
    if (pods.length === 0) {
      return {
        kind: 'unknown',
        because: `${counted(limited.length, 'load balancer')} ${agreeing(limited.length, 'lets', 'let')} in only some addresses, and those of the pods were not read.`,
      };
    }
    return failOnAny({
      all: limited,
      noun: 'load balancer',
      subject: ({ namespace, name }: Balanced, detail) => ({ kind: 'Service', namespace, name, detail }),
      evaluate: ({ sourceRanges }) => opinionOf(sourceRanges, pods),
      because: (failing) =>
        `${counted(failing.length, 'load balancer')} ${agreeing(failing.length, 'lets', 'let')} no pods in: ${withDetails(failing)}.`,
      evidence: ({ namespace, name, sourceRanges }) => [
        { object: `${namespace}/Service/${name}`, path: 'spec.loadBalancerSourceRanges', value: sourceRanges },
      ],
    });
  },
});

/** A range refuses only addresses of a family that the Service has. */
function opinionOf(sourceRanges: readonly string[], pods: readonly Cidr[]) {
  const ranges = sourceRanges.map((range) => parseCidr(range.trim()));
  const known = ranges.filter((range) => range !== null);
  if (known.length < ranges.length)
    return { undecided: `${listed(sourceRanges)} ${agreeing(ranges.length, 'is not a range', 'are not all ranges')}` };
  const refused = pods.filter(
    (pod) => known.some(({ family }) => family === pod.family) && !known.some((range) => contains(range, pod)),
  );
  return refused.length === 0 ? null : `${listed(sourceRanges)}, without ${listed(refused.map(formatCidr))}`;
}

/** Ranges of the existing pools, and of those that the Installation will create. */
function podRanges(facts: Facts, choices: Choices): Cidr[] {
  const { value } = plannedField(facts, choices, 'calicoNetwork.ipPools');
  const planned = Array.isArray(value) ? value.map((pool: unknown) => String(Object(pool).cidr ?? '')) : [];
  const there = facts.pools.filter(({ disabled }) => !disabled).map(({ cidr }) => cidr);
  return [...new Set([...there, ...planned])].map(parseCidr).filter((cidr) => cidr !== null);
}
