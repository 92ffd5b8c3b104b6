import { valueAt } from '#lib/base/records.ts';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Evidence, Facts, Subject } from '#lib/facts/index.ts';
import {
  type Choices,
  helmRecordResource,
  helmSecretName,
  isCalicoName,
  isOfHelmController,
  versionInChart,
} from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineCheck } from '../check.ts';
import { effectiveEndpoint } from '../reading/effective-endpoint.ts';
import { felixId } from '../reading/felix.ts';
import { installationId } from '../reading/installation.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { kubeProxyId } from '../reading/proxy.ts';
import { listed, quoted } from '../wording/sentences.ts';

type Release = Facts['resources']['helmReleases'][number];
type Pin = { release: Release; path: string; value: unknown; wanted: unknown; fix: 'switch.bpf.helm' | null };

/** Values of the chart that set a field which the plan writes (calico.md §1.3), with the plan's value for it. */
const pinnable: readonly { path: string; fix: Pin['fix']; wanted: (facts: Facts, choices: Choices) => unknown }[] = [
  { path: 'installation.calicoNetwork.linuxDataplane', fix: 'switch.bpf.helm', wanted: () => 'BPF' },
  { path: 'defaultFelixConfiguration.bpfKubeProxyIptablesCleanupEnabled', fix: null, wanted: () => false },
  {
    path: 'kubernetesServiceEndpoint.host',
    fix: null,
    wanted: (facts, choices) => effectiveEndpoint(facts, choices)?.host,
  },
  {
    path: 'kubernetesServiceEndpoint.port',
    fix: null,
    wanted: (facts, choices) => effectiveEndpoint(facts, choices)?.port,
  },
];

const owned: ReadonlySet<string> = new Set([installationId, felixId, kubeProxyId]);

export const managedByHelm = defineCheck({
  id: 'managed-by.helm',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade'],
  reads: ['helm', 'ownership'],
  title: 'No Helm release owns what the plan changes',
  gap: 'A Helm release owns what the plan changes',
  topic: 'Helm releases',
  ifIgnored: 'The next helm upgrade reverts the switch',
  consequence:
    "A `helm upgrade` writes the release's own values. Where they contradict the plan it reverts the switch, on every node at once.",
  remedy: { steps: ['Let the plan make the switch through Helm, so that the values hold it.'] },
  source: 'pain B4',
  appliesTo: ({ installation }, { goal }) =>
    goal === 'upgrade' && installation.method === 'helm'
      ? { because: 'The upgrade itself goes through Helm.', restsOn: ['installation'] }
      : true,
  run: (facts, choices) => {
    const releases = facts.resources.helmReleases.filter(
      ({ chart, name, holds }) => holds !== 'definitions' && isCalicoName(chart ?? name),
    );
    const marks = facts.resources.ownership.filter(({ by, object }) => by === 'helm' && owned.has(object));
    const pins = choices.goal === 'upgrade' ? [] : releases.flatMap((release) => pinsOf(release, facts, choices));
    if (pins.length > 0) return contradicts(pins, choices);

    const unread = releases.filter(({ values }) => values === null);
    if (unread.length > 0) {
      const which = listed(unread.map(({ namespace, name }) => `${namespace}/${name}`));
      return {
        kind: 'unknown',
        because: `The values of the Helm ${agreeing(unread.length, 'release', 'releases')} ${which} could not be read.`,
        subjects: unread.map((release) => releaseSubject(release, 'its values could not be read')),
      };
    }
    if (releases.length === 0 && marks.length === 0)
      return { kind: 'pass', because: 'Helm owns none of what the plan changes.' };
    return onlyOwned(releases, marks, choices);
  },
});

function pinsOf(release: Release, facts: Facts, choices: Choices): Pin[] {
  return pinnable.flatMap(({ path, wanted: wantedOf, fix }) => {
    const value = valueAt(release.values, path.split('.'));
    const wanted = wantedOf(facts, choices);
    // With an empty host the chart writes no ConfigMap, so the port has no effect.
    const isInEffect = path.startsWith('kubernetesServiceEndpoint.')
      ? Boolean(valueAt(release.values, ['kubernetesServiceEndpoint', 'host']))
      : true;
    if (!isInEffect || value === undefined || value === null || wanted === undefined) return [];
    return String(value) === String(wanted) ? [] : [{ release, path, value, wanted, fix }];
  });
}

function contradicts(pins: Pin[], { goal }: Choices): ReturnType<typeof managedByHelm.run> {
  // An install writes the Installation itself; Helm has no step in it.
  const fixable = goal !== 'install' && pins.every(({ fix, release }) => fix !== null && !isOfHelmController(release));
  // The switch has its own step. Set by hand, it would come before the preparations.
  const early = goal === 'install' ? [] : pins.filter(({ fix }) => fix === 'switch.bpf.helm');
  const now = pins.filter((pin) => !early.includes(pin));
  const command = helmCommand(now.filter(({ release }) => !isOfHelmController(release)));
  const differences = pins.map(
    ({ path, value, wanted }) => `${path} is ${quoted(value)}, the plan makes it ${quoted(wanted)}`,
  );
  return {
    kind: 'fail',
    because: `Helm's values contradict the plan: ${listed(differences)}.`,
    subjects: pins.map(({ release, path, value }) => releaseSubject(release, `values.${path} is ${quoted(value)}`)),
    remedy: fixable
      ? {
          steps: [
            'Let the plan make the switch through Helm, so that the values hold it.',
            'Where the values come from Git, change them there after the run: before it, nothing is prepared for the change.',
          ],
          autofix: 'switch.bpf.helm',
          fixIn: 'goal',
        }
      : {
          steps: [
            ...(now.length > 0 ? ['Change these values, in Git too where they come from there.'] : []),
            ...now
              .filter(({ release }) => isOfHelmController(release))
              .map(({ release, path }) => `RKE2 runs Helm by itself: change ${path} in ${chartConfigOf(release)}.`),
            ...early.map(({ release, path }) =>
              isOfHelmController(release)
                ? `RKE2 runs Helm by itself: take ${path} out of ${chartConfigOf(release)}, and write BPF there after the run, not before it.`
                : `Leave ${path} as it is: the plan changes it through Helm once everything is prepared.`,
            ),
            'Check again.',
          ],
          ...(command === '' ? {} : { command }),
          fixIn: 'goal',
        },
    evidence: pins.map(
      ({ release, path, value }): Evidence => ({ object: secretOf(release), path: `values.${path}`, value }),
    ),
  };
}

function onlyOwned(
  releases: Release[],
  marks: Facts['resources']['ownership'],
  choices: Choices,
): ReturnType<typeof managedByHelm.run> {
  const what = [
    ...releases.map(({ namespace, name }) => `release ${namespace}/${name}`),
    ...(releases.length > 0 ? [] : marks.map(({ object }) => object)),
  ];
  const own = releases.filter(isOfHelmController);
  const snippet = 'installation: {calicoNetwork: {linuxDataplane: BPF}}';
  const values =
    choices.goal === 'upgrade'
      ? 'Upgrade through Helm, or expect the next `helm upgrade` to bring its own version back.'
      : `After the run, add this to ${own.length > 0 ? listed(own.map((one) => `spec.valuesContent of ${chartConfigOf(one)}`)) : 'the values'}, so that the next \`helm upgrade\` keeps the switch: \`${snippet}\`.`;
  return {
    kind: 'fail',
    severity: 'warning',
    because: `Helm owns what the plan changes (${counted(what.length, 'owner')}: ${listed(what)}). Its values do not contradict the plan today.`,
    subjects: [
      ...releases.map((release) => releaseSubject(release, 'owns the operator and the Installation')),
      ...marks.map(
        ({ object, evidence }): Subject => ({ ...objectSubject(object), detail: `marked by Helm: ${evidence.path}` }),
      ),
    ],
    remedy: { steps: ['Accept this finding.', values], fixIn: 'goal' },
    evidence: [
      ...releases.map((release): Evidence => ({ object: secretOf(release), path: 'status', value: release.status })),
      ...marks.map(({ evidence }) => evidence),
    ],
  };
}

function chartConfigOf({ name, namespace }: Release): string {
  return `HelmChartConfig ${name} in ${namespace}`;
}

function releaseSubject({ name, namespace }: Release, detail: string): Subject {
  return { kind: 'HelmRelease', namespace, name, detail };
}

function secretOf({ name, namespace, revision, driver }: Release): string {
  return `${namespace}/${helmRecordResource(driver).kind}/${helmSecretName(name, revision)}`;
}

/** One `helm upgrade` for each release, at the installed version. */
function helmCommand(pins: readonly Pin[]): string {
  return [...Map.groupBy(pins, ({ release }) => release)]
    .map(([{ name, namespace, chart }, own]) => {
      const version = versionInChart(chart);
      const sets = own.map(({ path, wanted }) => `--set ${shellWord(`${path}=${String(wanted)}`)}`);
      return [
        `helm upgrade ${shellWord(name)} projectcalico/tigera-operator`,
        `--namespace ${shellWord(namespace)} --reuse-values`,
        ...(version === null ? [] : [`--version ${shellWord(version)}`]),
        ...sets,
      ].join(' ');
    })
    .join('\n');
}
