import { isObjectName, labelName } from '#lib/base/object-names.ts';
import type { Facts } from '#lib/facts/index.ts';
import { names } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Remedy } from '../findings.ts';
import { grantCommand } from '../wording/roles-yaml.ts';
import { listed, phrase } from '../wording/sentences.ts';
import { type Missing, ruleName } from './missing.ts';

/** Answers of the API server that are no objects and that a dump may have (lib/kube/dump). */
const rawAnswers = new Map([
  ['APIGroupList', { is: 'the API groups', path: '/apis', file: 'apis.json' }],
  ['version', { is: 'the version of Kubernetes', path: '/version', file: 'version.json' }],
]);

/** The facts that are needed here. */
type ClusterAndReleases = {
  readonly cluster: Pick<Facts['cluster'], 'source'>;
  readonly resources: { readonly helmReleases: readonly Release[] };
};

/**
 * The remedy of an *unknown*: first the steps that make it known (grant a rule, add a kind to the dump, wait for a server), then those of the check's
 * failure, as details. The same remedy if nothing is missing.
 */
export function remedyOfUnknown(
  { id: check, remedy }: { readonly id: string; readonly remedy: Remedy },
  gaps: readonly Missing[],
  { cluster, resources }: ClusterAndReleases,
): Remedy {
  if (gaps.length === 0) return remedy;
  const { source } = cluster;
  const rules = gaps.flatMap(({ rule }) => (rule ? [rule] : []));
  const others = gaps.filter(({ rule }) => !rule);
  const lacking = others.filter((gap) => isLacking(gap, source));
  const kinds = [...new Set(lacking.map(({ kind }) => kind))];
  const rest = others.filter((gap) => !lacking.includes(gap));
  const answers = source === 'dump' ? rest.filter(({ kind }) => rawAnswers.has(kind)).map(({ kind }) => kind) : [];
  const raw = [...new Set(answers)].flatMap((kind) => rawAnswers.get(kind) ?? []);
  const { command: _forAFail, ...ownRemedy } = remedy;
  const ifItFails = remedy.steps.filter((step) => step !== 'Check again.');
  const command = [
    ...(rules.length > 0 ? [grantCommand(check, rules)] : []),
    ...commandsThatRead([...kinds, ...new Set(answers)], resources.helmReleases),
  ].join('\n');
  return {
    ...ownRemedy,
    steps: [
      ...(rules.length > 0
        ? [
            `Ask an administrator to grant you what is missing, with these Roles: ${listed([...new Set(rules.map(ruleName))], 6)}.`,
          ]
        : []),
      ...(kinds.length > 0 ? [`Add to the dump what it lacks: ${listed(kinds, 6)}.`] : []),
      ...raw.map(({ is, file }) => `Add ${is} to the dump, as ${file}.`),
      ...stepsForTheRest(
        rest.filter(({ kind }) => raw.length === 0 || !rawAnswers.has(kind)),
        source,
      ),
      'Check again.',
    ],
    // Steps to accept the finding apply while it is unknown, too.
    details: [...ifItFails, ...(remedy.details ?? [])].map((step) =>
      /^(?:Or accept|Accept) this\b/.test(step) ? step : `If it fails then: ${step}`,
    ),
    ...(command === '' ? {} : { command }),
  };
}

/** Whether a dump lacks the kind. */
function isLacking({ kind, because, rule }: Missing, source: Facts['cluster']['source']): boolean {
  return source === 'dump' && !rule && because.includes(`no ${kind}`);
}

/** Whether somebody can provide the kind: grant its rule, or add it to the dump. */
export function isWithheld(gap: Missing, { cluster: { source } }: Pick<ClusterAndReleases, 'cluster'>): boolean {
  return gap.rule !== undefined || isLacking(gap, source);
}

/** Whether every cluster serves the kind: those of Kubernetes' own groups, without newer ones (ServiceCIDR: 1.33) and add-ons (`policy.networking.k8s.io`). */
const isServedEverywhere = (kind: string) =>
  /^[^.]+(\.(apps|batch|[a-z]+\.k8s\.io))?$/.test(kind) && !kind.startsWith('servicecidr.');

/** A Helm release whose Secrets are needed, as annotations name it. */
type Release = Pick<Facts['resources']['helmReleases'][number], 'name' | 'namespace'>;

/**
 * Commands of kubectl that read these kinds for a dump, one for most of them. Calico's kinds are read in their stored form, as the other one needs Calico's
 * API server. Kinds that the cluster may not serve are read one by one, since kubectl refuses a whole list for one unknown kind. Secrets have a command of
 * their own that selects Helm's releases of Calico alone, and so have `--raw` answers, which need their own file.
 */
export function commandsThatRead(kinds: readonly string[], releases: readonly Release[]): string[] {
  const raw = kinds.flatMap((kind) => rawAnswers.get(kind) ?? []);
  const plain = kinds
    .filter((kind) => kind !== 'Secret' && !rawAnswers.has(kind))
    .map((kind) => kind.toLowerCase().replace(/\.projectcalico\.org$/, '.crd.projectcalico.org'));
  const everywhere = plain.filter(isServedEverywhere).join(',');
  const lists = [...(everywhere === '' ? [] : [everywhere]), ...plain.filter((kind) => !isServedEverywhere(kind))];
  return [
    ...(lists.length > 1
      ? [
          `for kinds in ${lists.map(shellWord).join(' ')}; do echo ---; kubectl get "$kinds" --all-namespaces -o yaml; done`,
        ]
      : lists.map((kind) => `kubectl get ${shellWord(kind)} --all-namespaces -o yaml`)),
    ...(kinds.includes('Secret') ? secretsOf(releases) : []),
    ...raw.map(({ path, file }) => `kubectl get --raw ${path} > ${file}`),
  ];
}

/** Commands that read the Secrets of these releases, by Helm's labels (helm.sh/helm/v3/pkg/storage/driver). Names from annotations may be anything and are quoted. */
function secretsOf(releases: readonly Release[]): string[] {
  const named = releases.filter(({ name, namespace }) => isObjectName(name) && labelName.test(namespace));
  const operators = named.length > 0 ? named : [{ name: null, namespace: names.operatorNamespace }];
  const lines = operators.map(({ name, namespace }) => {
    const selector = name === null ? 'owner=helm' : `owner=helm,name=${name}`;
    return `kubectl get secrets --namespace ${namespace} -l ${selector} -o yaml`;
  });
  return [...new Set(lines)];
}

/** What a dump lacks: kinds, and answers of the API server by the names of `commandsThatRead`. */
export function lackingInDump({ cluster: { source }, coverage }: Facts): { kinds: string[]; answers: string[] } {
  const all = source === 'dump' ? Object.values(coverage).flatMap((one) => one.missing) : [];
  const lacking = all.filter((gap) => isLacking(gap, source));
  const answers = all.filter(({ kind }) => rawAnswers.has(kind));
  const kindsOf = (some: readonly Missing[]) => [...new Set(some.map(({ kind }) => kind))].sort();
  return { kinds: kindsOf(lacking), answers: kindsOf(answers) };
}

/** How a sentence names an answer of the API server that a dump lacks, by its name in `commandsThatRead`; unknown names stay as they are. */
export function answerName(answer: string): string {
  return rawAnswers.get(answer)?.is ?? answer;
}

function stepsForTheRest(rest: readonly Missing[], source: Facts['cluster']['source']): string[] {
  if (rest.length === 0) return [];
  if (source === 'dump') {
    const inEtcd = rest.filter(({ because }) => isInEtcd.test(because));
    const added = inEtcd.map(({ kind }) => `Add the output of \`${calicoctlOf(kind)}\` to the dump.`);
    return [
      ...new Set(added),
      ...(inEtcd.length < rest.length ? ['Check the cluster itself: a dump cannot tell this.'] : []),
    ];
  }
  return [
    ...seenElsewhere.flatMap(({ where, step }) => {
      const kinds = rest.filter((gap) => where.test(gapLine(gap))).map(({ kind }) => kind);
      return kinds.length === 0 ? [] : [step([...new Set(kinds)])];
    }),
    ...new Set(
      rest
        .filter((gap) => !seenElsewhere.some(({ where }) => where.test(gapLine(gap))))
        .map(({ kind, because }) => `See to it that ${kind} can be read: ${phrase(because)}.`),
    ),
  ];
}

const gapLine = ({ kind, because }: Missing) => `${kind}: ${because}`;

const isInEtcd = /keeps it in etcd/;

/** The command of calicoctl that reads a kind. NetworkPolicies need a flag, since calicoctl otherwise shows only those of `default`. */
function calicoctlOf(kind: string): string {
  const [name = ''] = kind.toLowerCase().split('.');
  return `calicoctl get ${name}${name === 'networkpolicy' ? ' --all-namespaces' : ''} -o yaml`;
}

/** Gaps that the cluster's API cannot fill for any account, with a step that says where to look, and that the finding may be accepted. */
const seenElsewhere: readonly { where: RegExp; step(kinds: readonly string[]): string }[] = [
  {
    where: /^ServiceCIDR\..*: nothing in the cluster says/,
    step: () => 'Compare it with `--service-cluster-ip-range` of the API server. Accept this where it lies outside.',
  },
  {
    where: isInEtcd,
    step: (kinds) =>
      `Look with ${listed(
        kinds.map((kind) => `\`${calicoctlOf(kind)}\``),
        6,
      )}. Accept this where nothing is to be fixed.`,
  },
];
