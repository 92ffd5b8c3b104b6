import { type ChoiceProblem, choiceProblems, type Findings, runChecks } from '#lib/checks/index.ts';
import { collectFacts, type Facts, withObjects } from '#lib/facts/index.ts';
import { type Clock, type Kube, systemClock } from '#lib/kube/index.ts';
import { makePlan, type Plan, releaseRefs, rulesFor, withAccessOfPlan } from '#lib/plan/index.ts';
import {
  type Choices,
  type JournalPlaces,
  journalPlaces,
  type PlatformKind,
  type ReleaseContents,
  releaseToInstall,
} from '#lib/spec/index.ts';
import { claimsOfEndedRuns } from './left-behind.ts';
import type { Manifests } from './manifest-acts.ts';
import { previewPlan } from './preview.ts';
import { withUpgradeFiles } from './upgrade-files.ts';

export type Prepared = { facts: Facts; findings: Findings; plan: Plan };

/**
 * Where *install* gets its files: a release by its version, from the source that was chosen. Rejects with an Error whose sentence says what
 * could not be had and what to do.
 */
export type Releases = (
  wanted: {
    version: string;
    source?: string | undefined;
    airGapped?: boolean | undefined;
    platform: PlatformKind;
    /** The text of custom resources in the place of the release's own. */
    customResources?: string | undefined;
    /** Files beyond those of an installation by the operator: `calico.yaml`. One that the source lacks is left out. */
    also?: readonly string[] | undefined;
  },
  signal: AbortSignal,
) => Promise<ReleaseContents>;

export type PrepareOptions = {
  kube: Kube;
  /** The answers that facts depend on (which endpoint to probe). */
  given: Omit<Choices, 'goal'> & { goal?: Choices['goal'] };
  /** All answers, once it is known what runs: the goal may follow from it. */
  choices(facts: Facts): Choices;
  /** Where journals may lie; the usual ones unless `--journal-namespace`. */
  places?: JournalPlaces;
  /** For *install*; without it such a plan is a PlanError that names the release. For *upgrade*: what its checks compare with. */
  releases?: Releases | undefined;
  /** For the dry run of files that a plan names by checksum. */
  manifests?: Manifests | undefined;
  clock?: Clock;
  signal: AbortSignal;
};

/** Facts → checks → plan → dry runs: what `plan`, `apply` and the review page show. Changes nothing. */
export async function preparePlan(options: PrepareOptions): Promise<Prepared> {
  const { facts, findings, choices, release } = await readAndCheck(options);
  const now = new Date((options.clock ?? systemClock).now()).toISOString();
  const made = makePlan({ facts, choices, findings, now, release });
  const plan = await previewPlan(options.kube, made, options.signal, options.manifests);
  return { facts, findings, plan };
}

/** An acknowledgement or mend that cannot be had; `problems` names each field. */
export class ChoiceError extends Error {
  override name = 'ChoiceError';
  readonly problems: readonly ChoiceProblem[];

  constructor(problems: readonly ChoiceProblem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.problems = problems;
  }
}

/** Facts → checks. Rejects with ChoiceError. */
export async function readAndCheck({
  kube,
  given,
  choices: choose,
  places = journalPlaces,
  releases,
  clock = systemClock,
  signal,
}: PrepareOptions): Promise<{ facts: Facts; findings: Findings; choices: Choices; release: ReleaseContents | null }> {
  const read = await collectFacts({
    kube,
    choices: { ...given, goal: given.goal ?? 'enable' },
    rules: rulesFor(given.goal ?? 'enable', places),
    leftBehind: await claimsOfEndedRuns(kube, places),
    clock,
    signal,
  });
  const choices = choose(read);
  const { facts: known, release } = await withRelease(read, choices, { kube, releases, signal });
  const { facts, files } = await withUpgradeFiles(known, choices, { kube, releases, signal });
  const findings = runChecks(withAccessOfPlan(facts, choices, release, places), choices, {
    now: new Date(clock.now()).toISOString(),
    files: release === null ? files : { target: release },
  });
  const problems = choiceProblems(choices, findings);
  if (problems.length > 0) throw new ChoiceError(problems);
  return { facts, findings, choices, release };
}

/**
 * What a plan for these choices needs beyond facts: the release of an *install*, and the objects that it makes, read. Without `--release` the one
 * that is proposed. Null, and the facts as they are, for other goals and where no source of releases was given.
 */
export async function withRelease(
  facts: Facts,
  choices: Choices,
  { kube, releases, signal }: { kube: Kube; releases: Releases | undefined; signal: AbortSignal },
): Promise<{ facts: Facts; release: ReleaseContents | null }> {
  const version = choices.release ?? releaseToInstall(facts.cluster.kubernetesVersion);
  if (choices.goal !== 'install' || releases === undefined) return { facts, release: null };
  const { source, airGapped, customResources } = choices;
  const platform = choices.platform ?? facts.platform.kind;
  const release = await releases({ version, source, airGapped, platform, customResources }, signal);
  return { facts: await withObjects(facts, { kube, refs: releaseRefs(release), signal }), release };
}
