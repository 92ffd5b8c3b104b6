import type { Facts } from '#lib/facts/index.ts';
import { type Choices, otherNetworks } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import type { Remedy, Severity } from '../findings.ts';
import { kubectlArguments, objectSubject } from '../reading/object-subject.ts';
import { plannedCni } from '../reading/planned-cni.ts';
import { servesInstead } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

type Other = Facts['installation']['otherNetworks'][number];
type RatedProduct = Other & { severity: Severity; detail: string };

/** Other products beside Calico. For an install only those that connect no pods; `install.nothing-there` reports the others. */
export const networkOtherProduct = defineCheck({
  id: 'network.other-product',
  group: 'Network',
  severity: 'blocking',
  goals: ['install', 'enable'],
  reads: ['otherNetworks', 'installation', 'proxy'],
  title: 'No other product works on the traffic of pods',
  gap: 'Another product works on the traffic of pods',
  topic: 'Other products',
  ifIgnored: "Two products undo each other's rules",
  consequence:
    'Two products that both translate Service addresses, or both attach eBPF programs to pod interfaces, undo the work of the other. iptables rules of the other product do not apply to traffic that bypasses iptables in eBPF mode.',
  remedy: { steps: ['Remove the other product from the cluster, with the tool that installed it.', 'Check again.'] },
  source:
    'calico.md §9; pain B3, E3; https://docs.tigera.io/calico/latest/getting-started/kubernetes/managed-public-cloud/eks',
  run: (facts, choices) => {
    const { cni, method } = facts.installation;
    if (choices.goal === 'enable' && method === 'none') return { kind: 'skipped', because: 'Calico is not installed.' };
    const planned = choices.goal === 'install' ? plannedCni(facts, choices) : cni;
    const rated = facts.installation.otherNetworks
      .map((one) => ({ ...one, row: otherNetworks.find(({ product }) => product === one.product) }))
      .map(({ row, ...one }) => ({
        ...one,
        isBeside: row?.besides != null && row.besides === planned,
        attaches: one.attaches ?? row?.attaches === true,
      }))
      .filter(({ isBeside, connects, serves, attaches }) =>
        isBeside ? serves !== false || attaches : choices.goal !== 'install' || connects === false,
      )
      .map((one): RatedProduct => ({ ...one, ...ratingOf(one, one.attaches) }));
    if (rated.length === 0) return { kind: 'pass' };
    const because = rated.map(({ product, detail }) => `${product} ${detail}`);
    return {
      kind: 'fail',
      severity: rated.some(({ severity }) => severity === 'blocking') ? 'blocking' : 'warning',
      because: `${listed(because)}.`,
      subjects: rated.map(({ object, detail }) => ({ ...objectSubject(object), detail })),
      remedy: remedyFor(rated, facts, choices),
      evidence: rated.flatMap(({ evidence }) => evidence),
    };
  },
});

function ratingOf({ serves, servesOn, connects }: Other, attaches: boolean): Pick<RatedProduct, 'severity' | 'detail'> {
  const does = [
    ...(connects === false ? [] : ['connects pods']),
    ...(serves === true
      ? [`serves Services${servesOn === undefined ? '' : ` on ${servesOn.nodes} of ${servesOn.of} nodes`}`]
      : []),
    ...(attaches ? ['attaches eBPF programs of its own'] : []),
  ];
  const known = does.length > 0 ? listed(does) : 'filters packets in iptables';
  return {
    severity: serves === true || attaches ? 'blocking' : 'warning',
    detail: serves === null ? `${known}; not verified whether it serves Services` : known,
  };
}

function remedyFor(rated: readonly RatedProduct[], facts: Facts, { goal }: Choices): Remedy {
  const isServedByThem = servesInstead(facts).length > 0;
  return {
    steps: [
      ...(goal === 'enable' && isServedByThem
        ? ['Start kube-proxy in iptables mode first: nothing else serves Services from here to the switch.']
        : []),
      ...new Set(rated.flatMap(stepsFor)),
      'Check again.',
    ],
  };
}

/**
 * kube-router keeps Service addresses on `kube-dummy-if`, and Cilium's programs stay where they are attached, when their pods are gone
 * (cloudnativelabs/kube-router docs/user-guide.md › cleanup configuration; docs.cilium.io › Kubernetes Without kube-proxy). A restart clears both.
 */
function stepsFor({ product, object, serves, connects, attaches, severity }: RatedProduct): string[] {
  const restart = `Restart the nodes one at a time: what ${product} left on them is gone only then.`;
  if (product === 'kube-router' && connects === false)
    return serves === false
      ? [
          'Set `--run-firewall=false` in the arguments of kube-router: Calico enforces the NetworkPolicies of Kubernetes itself.',
          'Or accept this, when you know that its rules are not needed.',
        ]
      : [
          `Set \`--run-service-proxy=false\` in the arguments of kube-router (\`kubectl edit ${kubectlArguments(object, shellWord)}\`).`,
          restart,
        ];
  if (product === 'Cilium' && connects === false)
    return [
      'Take `cilium-cni` out of the CNI configuration into which it was chained.',
      'Remove Cilium with what it was installed with (Helm: `helm uninstall cilium -n kube-system`).',
      restart,
    ];
  if (product === 'Amazon VPC CNI' && attaches === true)
    return [
      'Let Calico alone enforce policy: set `enableNetworkPolicy` to `false` in the configuration of the add-on (`aws eks update-addon --addon-name vpc-cni`), or `--enable-network-policy=false` in the arguments of aws-eks-nodeagent (`kubectl edit -n kube-system daemonset aws-node`).',
      restart,
    ];
  return severity === 'blocking'
    ? [`Remove ${product} with what it was installed with.`, restart]
    : [
        `Remove ${product} with what it was installed with.`,
        'Or accept this, where it is a second network of some pods (Multus) and Services do not lead there.',
      ];
}
