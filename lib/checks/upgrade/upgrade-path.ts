import type { Evidence, FactKey, Facts, Subject } from '#lib/facts/index.ts';
import {
  type Choices,
  calicoReleases,
  type Gate,
  gates,
  hopOf,
  inRange,
  isByOperator,
  parseRelease,
  releaseAtLeast,
  type VersionRange,
} from '#lib/spec/index.ts';
import type { Result } from '../check.ts';
import type { Severity } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { felixField } from '../reading/felix.ts';
import { isKnownInstall } from '../reading/installation.ts';
import { objectIsAbsent } from '../reading/objects.ts';
import { crosses, type Upgrade, upgradeTarget } from '../reading/upgrade.ts';
import { quoted, sentence } from '../wording/sentences.ts';

/** The oldest release that the specification's procedure starts from (spec › Versioning). */
const oldest = 'v3.15.0';

type Answer = 'yes' | 'no' | 'undecided';
type Reached = { readonly gate: Gate; readonly answer: Answer };

/** Facts that decide whether a gate applies, besides the two releases. They are not needed if the releases alone exclude it. */
const decidedBy: Readonly<Partial<Record<Gate['id'], readonly FactKey[]>>> = {
  V1: ['dataplane', 'pools', 'felix'],
  V7: ['cluster'],
  V8: ['helm'],
};

export const upgradePath = defineUpgradeCheck({
  id: 'upgrade.path',
  severity: 'blocking',
  reads: ['dataplane', 'helm', 'cluster', 'pools', 'felix'],
  title: 'The upgrade to the target has no obstacles',
  gap: 'The way to the target release has obstacles',
  topic: 'Way to the target release',
  ifIgnored: 'Traffic can be dropped, objects lost',
  consequence:
    'Some steps are known to break a running cluster: traffic is dropped between nodes of either release, agents crash, or objects are lost.',
  remedy: {
    steps: ['Choose a release that can be reached, or upgrade by way of the release named here.', 'Check again.'],
    command: 'signalbox spec gates',
    fixIn: 'release',
  },
  source: 'spec › Versioning; pain §2',
  withoutTarget: (from, target) => ({
    kind: 'fail',
    because:
      target.kind === 'malformed'
        ? `${quoted(target.text)} is not a release of Calico: three numbers are needed, as in v3.31.4.`
        : `No release is chosen, and none newer than ${from} is known that could be proposed.`,
    subjects: [{ kind: 'Calico', namespace: null, name: from, detail: 'has no release to go to' }],
    remedy: {
      steps: ['Choose the release to upgrade to.', 'Check again.'],
      command: 'signalbox check --goal upgrade --release v3.31.4',
      fixIn: 'release',
    },
  }),
  evaluate: (upgrade, facts) => {
    const { from, to } = upgrade;
    if (releaseAtLeast(from, oldest) === 'no') return refused(upgrade, facts, tooOld(upgrade), toTheOldest);
    if (releaseAtLeast(to, from) === 'no') return refused(upgrade, facts, downgrade(upgrade), noWayBack);
    if (releaseAtLeast(from, to) === 'yes') {
      return { kind: 'pass', because: `Calico is at ${to} already: there is nothing to upgrade.` };
    }
    const reached = gates
      .filter((gate) => gate.checks.includes('upgrade.path') && byNumbers(gate, upgrade) !== 'no')
      .map((gate): Reached => ({ gate, answer: answerOf(gate, upgrade, facts) }));
    const known = calicoReleases.some(({ version }) => version === to);
    const result = resultOf(upgrade, facts, reached, known);
    const keys = reached.flatMap(({ gate: { id } }) => decidedBy[id] ?? []);
    return result.kind === 'pass' || result.kind === 'unknown'
      ? { restsOn: ['installation', ...keys], ...result }
      : result;
  },
});

/**
 * The intermediate releases of an upgrade in order, each required by a gate (pain §2, V1). Empty if the upgrade is direct, or if the deciding facts were not
 * read. Each is a whole upgrade within the plan.
 */
export function releasesThrough(facts: Facts, choices: Choices): string[] {
  const from = facts.installation.version;
  const target = upgradeTarget(facts, choices);
  if (from === null || parseRelease(from) === null || target.kind !== 'release') return [];
  const upgrade = { from, to: target.version, origin: target.origin };
  return gates.filter((gate) => answerOf(gate, upgrade, facts) === 'yes').flatMap((gate) => hopOf(gate) ?? []);
}

function refused({ from, to }: Upgrade, facts: Facts, because: string, steps: readonly string[]): Result {
  return {
    kind: 'fail',
    because,
    subjects: [calico(facts, `${from}, to be ${to}`)],
    remedy: { ...upgradePath.remedy, steps: [...steps] },
    evidence: versionEvidence(facts),
  };
}

const tooOld = ({ from }: Upgrade) =>
  `Calico ${from} is older than ${oldest}, from which the procedure begins: nothing is known of a direct step.`;
const toTheOldest = [
  `Upgrade to ${oldest} or later first, as the documents of that release say.`,
  'Then check the upgrade from there.',
];
const downgrade = ({ from, to }: Upgrade) => `${to} is older than ${from}: Calico has no way back to an older release.`;
const noWayBack = [
  'Choose a newer release.',
  'To take back an upgrade that a run made, undo that run: it has what the older release needs.',
];

/** Whether the two releases alone make the gate apply. */
function byNumbers(gate: Gate, upgrade: Upgrade): Answer {
  return both([
    gate.crosses === undefined ? 'yes' : crosses(upgrade, gate.crosses),
    gate.fromRelease === undefined ? 'yes' : inAny(upgrade.from, gate.fromRelease),
    gate.toRelease === undefined ? 'yes' : inAny(upgrade.to, gate.toRelease),
  ]);
}

/** Whether the gate applies, by the releases and, if it has more conditions, by the facts. */
function answerOf(gate: Gate, upgrade: Upgrade, facts: Facts): Answer {
  const version = facts.cluster.kubernetesVersion;
  const kubernetes =
    gate.kubernetes === undefined ? 'yes' : version === null ? 'undecided' : inAny(version, gate.kubernetes);
  return both([byNumbers(gate, upgrade), kubernetes, conditions[gate.id]?.(facts) ?? 'yes']);
}

/** Conditions of gates besides ranges of versions. */
const conditions: Readonly<Partial<Record<Gate['id'], (facts: Facts) => Answer>>> = {
  V1: (facts) => {
    const { wanted, actual } = facts.installation.dataplane;
    const isOn = wanted === 'BPF' || actual === 'BPF' || actual === 'mixed';
    return both([isOn ? 'yes' : actual === 'unknown' ? 'undecided' : 'no', usesVxlan(facts)]);
  },
  V8: ({ resources: { helmReleases: all } }) => {
    const helmReleases = all.filter(({ holds }) => holds !== 'definitions');
    if (helmReleases.some(({ values }) => values !== null && Object.hasOwn(values, movedValue))) return 'yes';
    return helmReleases.some(({ values }) => values === null) ? 'undecided' : 'no';
  },
  V19: ({ installation: { method } }) => (method === 'helm' ? 'yes' : method === 'unknown' ? 'undecided' : 'no'),
  V20: (facts) => {
    const { method } = facts.installation;
    if (method === 'unknown') return 'undecided';
    return isByOperator(facts.installation) ? objectIsAbsent(facts, 'APIServer/default') : 'no';
  },
};

/** Whether nodes use VXLAN, by a pool or the agents' own setting (projectcalico/calico#11910: packets from its device are dropped; read 2026-11-23). */
function usesVxlan(facts: Facts): Answer {
  if (facts.pools.some(({ encapsulation }) => encapsulation.startsWith('VXLAN'))) return 'yes';
  if (felixField(facts, 'vxlanEnabled') === true) return 'yes';
  return isCovered(facts, 'pools', 'felix') ? 'no' : 'undecided';
}

/** The chart's value before it moved below `installation` (calico.md §1.3). */
const movedValue = 'kubeletVolumePluginPath';

/** The severity if a gate applies. Gates about what no API shows (another product's WireGuard, V21) are for the administrator to check. */
const severityOf: Readonly<Record<Gate['action'], Severity>> = {
  block: 'blocking',
  hop: 'blocking',
  change: 'warning',
  review: 'warning',
  prefer: 'info',
  absent: 'info',
  note: 'info',
};
const seenByPeopleOnly: ReadonlySet<Gate['id']> = new Set(['V21']);

function resultOf({ from, to }: Upgrade, facts: Facts, reached: readonly Reached[], known: boolean): Result {
  const closed = reached.filter(({ answer }) => answer === 'yes').map(({ gate }) => gate);
  const open = reached.filter(({ answer }) => answer === 'undecided').map(({ gate }) => gate);
  const weight = weightOn(facts);
  const worst = order.find((severity) => closed.some((gate) => weight(gate) === severity));
  const isNoteOnly = worst === undefined || worst === 'info';
  if (isNoteOnly && open.length > 0) {
    return {
      kind: 'unknown',
      because: `From ${from} to ${to}, not verified: ${open.map(({ id, condition }) => `${condition} (gate ${id})`).join('; ')}.`,
    };
  }
  if (isNoteOnly && !known) {
    return {
      kind: 'unknown',
      because: `${to} is not in the table of releases: no known faults to compare with.`,
      restsOn: ['installation'],
      remedy: {
        steps: ['Read the notes of this release, or choose one that is known.', 'Check again.'],
        command: 'signalbox spec releases',
        fixIn: 'release',
      },
    };
  }
  if (worst === undefined) return { kind: 'pass', because: `No known fault on the way from ${from} to ${to}.` };
  const adviceOf = (gate: Gate) => {
    if (weight(gate) !== 'info') return gate.advice;
    if (hopOf(gate) !== undefined) return `The plan goes by way of ${hopOf(gate)}. ${gate.advice}`;
    const does = doneThroughHelm[gate.id];
    return does === undefined ? gate.advice : `${does} ${gate.advice}`;
  };
  const sorted = closed.toSorted((left, right) => order.indexOf(weight(left)) - order.indexOf(weight(right)));
  const [first] = sorted;
  return {
    kind: 'fail',
    severity: worst,
    ...(isNoteOnly || first === undefined ? {} : { gap: gapOf(to, first) }),
    because: `Known faults on the way from ${from} to ${to}: ${sorted.map(({ id, condition }) => `${condition} (gate ${id})`).join('; ')}.`,
    subjects: sorted.map((gate) => calico(facts, `gate ${gate.id}, ${gate.condition}. ${adviceOf(gate)}`)),
    remedy: {
      steps: [...sorted.map((gate) => sentence(adviceOf(gate))), 'Check again.'],
      command: commandFor(sorted),
      fixIn: 'release',
    },
    evidence: versionEvidence(facts),
  };
}

/** Letters of a finding's title. */
const titleLetters = 60;

/** The worst known fault by its condition, which may be too long for a title; then by its gate. */
function gapOf(to: string, { id, condition }: Gate): string {
  const byCondition = `Known fault: ${condition}`;
  return byCondition.length > titleLetters ? `Known fault on the way to ${to}: gate ${id}` : byCondition;
}

const order: readonly Severity[] = ['blocking', 'warning', 'info'];

/** A gate that the plan satisfies by an intermediate release is no obstacle. */
const weightOn =
  ({ installation }: Facts) =>
  (gate: Gate): Severity => {
    const isPlanned = isKnownInstall({ installation });
    const isDone =
      (isPlanned && hopOf(gate) !== undefined) ||
      (installation.method === 'helm' && doneThroughHelm[gate.id] !== undefined);
    return isDone ? 'info' : weightOf(gate);
  };

/** What the plan for a Helm installation does about a gate, without a step of the user. */
const doneThroughHelm: Readonly<Partial<Record<Gate['id'], string>>> = {
  V8: 'The plan writes it at its new place.',
  // Byte for byte the chart's (lib/release/checksums.json: operator-crds.yaml and v1_crd_projectcalico_org.yaml).
  V19: 'The plan applies the CRDs first, from operator-crds.yaml of the release.',
};

function weightOf({ id, action }: Gate): Severity {
  return seenByPeopleOnly.has(id) ? 'warning' : severityOf[action];
}

/** The next check: for the intermediate release that a gate requires. */
function commandFor(closed: readonly Gate[]): string {
  const hop = closed.map(hopOf).find((release) => release !== undefined);
  return hop === undefined ? 'signalbox spec gates' : `signalbox check --goal upgrade --release ${hop}`;
}

function both(parts: readonly Answer[]): Answer {
  if (parts.includes('no')) return 'no';
  return parts.includes('undecided') ? 'undecided' : 'yes';
}

function inAny(version: string, ranges: readonly VersionRange[]): Answer {
  const answers = ranges.map((range) => inRange(version, range));
  if (answers.includes('yes')) return 'yes';
  return answers.includes('undecided') ? 'undecided' : 'no';
}

function calico({ installation }: Facts, detail: string): Subject {
  return { kind: 'Calico', namespace: installation.namespace, name: installation.version ?? 'calico', detail };
}

function versionEvidence({ installation }: Facts): Evidence[] {
  return installation.evidence.filter(({ value }) => value === installation.version);
}
