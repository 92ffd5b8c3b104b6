import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Remedy } from '../findings.ts';
import { rolesYaml } from '../wording/roles-yaml.ts';
import { listed, phrase } from '../wording/sentences.ts';
import { type Missing, ruleName } from './missing.ts';

/** Answers of the API server that are no objects and that a dump can hold (lib/kube/dump). */
const rawAnswers = new Map([
  ['APIGroupList', { is: 'the API groups', path: '/apis', file: 'apis.json' }],
  ['version', { is: 'the version of Kubernetes', path: '/version', file: 'version.json' }],
]);

/**
 * What to do about an *unknown* begins with making it known: a rule to be granted, a kind that the dump lacks, something that does not answer. Only
 * then comes what the check says for when it fails. Where nothing is missing the remedy stays as it is.
 */
export function madeKnownFirst(remedy: Remedy, gaps: readonly Missing[], source: Facts['cluster']['source']): Remedy {
  if (gaps.length === 0) return remedy;
  const rules = gaps.flatMap(({ rule }) => (rule ? [rule] : []));
  const others = gaps.filter(({ rule }) => !rule);
  const lacking = source === 'dump' ? others.filter(({ kind, because }) => because.includes(`no ${kind}`)) : [];
  const kinds = [...new Set(lacking.map(({ kind }) => kind))];
  const rest = others.filter((gap) => !lacking.includes(gap));
  const raw = source === 'dump' ? [...new Set(rest.flatMap(({ kind }) => rawAnswers.get(kind) ?? []))] : [];
  const { command: _forAFail, ...kept } = remedy;
  const command = [
    ...raw.map(({ path, file }) => `kubectl get --raw ${path} > ${file}`),
    ...(rules.length > 0 ? [`kubectl apply -f - <<'EOF'\n${rolesYaml('signalbox-missing', rules)}\nEOF`] : []),
    ...commandsThatRead(kinds),
  ].join('\n');
  return {
    ...kept,
    steps: [
      ...(rules.length > 0
        ? [
            `Ask somebody who may to grant you what is missing, with the Roles shown here: ${listed([...new Set(rules.map(ruleName))], 6)}.`,
          ]
        : []),
      ...(kinds.length > 0 ? [`Add to the dump what it lacks: ${listed(kinds, 6)}.`] : []),
      ...raw.map(({ is, file }) => `Add ${is} to the dump, as ${file}.`),
      ...stepsForTheRest(
        rest.filter(({ kind }) => raw.length === 0 || !rawAnswers.has(kind)),
        source,
      ),
      'Check again: only then is it known whether anything has to be fixed.',
      ...remedy.steps.filter((step) => step !== 'Check again.').map((step) => `If it fails then: ${step}`),
    ],
    ...(command === '' ? {} : { command }),
  };
}

/** Kinds of every cluster: those of Kubernetes' own groups but what came late (ServiceCIDR: 1.33) and its add-ons (`policy.networking.k8s.io`). */
const isServedEverywhere = (kind: string) =>
  /^[^.]+(\.(apps|batch|[a-z]+\.k8s\.io))?$/.test(kind) && !kind.startsWith('servicecidr.');

/**
 * How kubectl reads these kinds for a dump. Calico's by the name under which they are stored: the other one needs Calico's API server. Kinds that the
 * cluster may not serve are asked for one by one, each a document of its own in the file: kubectl refuses a whole list for one of them. Of Secrets Helm's own in the operator's namespace
 * alone: nobody else's are anything to us.
 */
export function commandsThatRead(kinds: readonly string[]): string[] {
  const plain = kinds
    .filter((kind) => kind !== 'Secret')
    .map((kind) => kind.toLowerCase().replace(/\.projectcalico\.org$/, '.crd.projectcalico.org'));
  const everywhere = plain.filter(isServedEverywhere);
  const perhaps = plain.filter((kind) => !isServedEverywhere(kind));
  return [
    ...(everywhere.length > 0 ? [`kubectl get ${shellWord(everywhere.join(','))} --all-namespaces -o yaml`] : []),
    ...(perhaps.length > 1
      ? [
          `for kind in ${perhaps.map(shellWord).join(' ')}; do echo ---; kubectl get "$kind" --all-namespaces -o yaml; done`,
        ]
      : perhaps.map((kind) => `kubectl get ${shellWord(kind)} --all-namespaces -o yaml`)),
    ...(plain.length < kinds.length
      ? [`kubectl get secrets --namespace ${names.operatorNamespace} -l owner=helm -o yaml`]
      : []),
  ];
}

/** The kinds that a dump lacks, of all that was asked of it. */
export function lackingInDump({ cluster: { source }, coverage }: Facts): string[] {
  if (source !== 'dump') return [];
  const missing = Object.values(coverage).flatMap((one) => one.missing);
  const lacking = missing.filter(({ kind, because, rule }) => !rule && because.includes(`no ${kind}`));
  return [...new Set(lacking.map(({ kind }) => kind))].sort();
}

function stepsForTheRest(rest: readonly Missing[], source: Facts['cluster']['source']): string[] {
  if (rest.length === 0) return [];
  if (source === 'dump') {
    const inEtcd = rest.filter(({ because }) => keptInEtcd.test(because));
    const added = inEtcd.map(({ kind }) => `Add the output of \`${calicoctlOf(kind)}\` to the dump.`);
    return [
      ...new Set(added),
      ...(inEtcd.length < rest.length ? ['Check the cluster itself: a dump cannot tell this.'] : []),
    ];
  }
  return [
    ...new Set(
      rest.map(
        ({ kind, because }) =>
          seenElsewhere.find((one) => one.where.test(`${kind}: ${because}`))?.step(kind) ??
          `See to it that ${kind} can be read: ${phrase(because)}.`,
      ),
    ),
  ];
}

const keptInEtcd = /keeps it in etcd/;

/** NetworkPolicy alone is in namespaces; without the flag calicoctl shows those of `default`. */
function calicoctlOf(kind: string): string {
  const [name = ''] = kind.toLowerCase().split('.');
  return `calicoctl get ${name}${name === 'networkpolicy' ? ' --all-namespaces' : ''} -o yaml`;
}

/** What the API of this cluster cannot show, whoever asks: where the reader can look, and that an answer is theirs to give. */
const seenElsewhere: readonly { where: RegExp; step(kind: string): string }[] = [
  {
    where: /^ServiceCIDR\..*: nothing in the cluster says/,
    step: () =>
      'Look at `--service-cluster-ip-range` of the API server: nothing in the cluster says its service range. Accept this where the address lies outside.',
  },
  {
    where: keptInEtcd,
    step: (kind) =>
      `Look with \`${calicoctlOf(kind)}\`: this installation keeps it in etcd. Accept this where nothing is to be fixed.`,
  },
];
