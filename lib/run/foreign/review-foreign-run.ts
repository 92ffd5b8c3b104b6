import { ChoiceError, causedByRuns, isBlocking, needsAnswer } from '#lib/checks/index.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Act, inOwnWords, type Plan, PlanError, planUndo, yamlDiff } from '#lib/plan/index.ts';
import type { Choices, JournalNamespaces } from '#lib/spec/index.ts';
import { isMasked } from '#lib/text/index.ts';
import { isWriting, perform } from '../acts/perform.ts';
import type { Releases } from '../acts/releases.ts';
import { openJournal } from '../journal/journal-store.ts';
import { noSuchRun } from '../journal/list-runs.ts';
import { namespaceOfRun } from '../journal/namespace-of-run.ts';
import { digestOfRun } from '../memory/digest-of-run.ts';
import type { RunMemory } from '../memory/run-memory.ts';
import { wasBegun, withoutWayBack } from '../model/history.ts';
import { directionOf, forwardProgress, type Journal } from '../model/journal.ts';
import { differingFromRelease } from './differing-from-release.ts';
import type { AdoptedRun, ForeignProblem, ForeignReview, ForeignStep } from './foreign-review.ts';
import { insteadOfUpgradeBack, whyNotRestored } from './why-not-restored.ts';

export type ForeignRunContext = {
  kube: Kube;
  journalNamespaces: JournalNamespaces;
  memory: RunMemory;
  /** The plan that these choices lead to on this cluster now, with its dry runs. Rejects with ChoiceError, KubeError, PlanError. */
  planFrom(choices: Choices): Promise<Plan>;
  /** Opens the files of the release that it installed. */
  releases?: Releases | undefined;
  signal: AbortSignal;
};

/**
 * Examines a run that this installation did not seal, before it is carried on or undone. Changes nothing. To carry it on means to make a new plan
 * from its choices: the plan finds what is missing, and nothing that remains to be done comes from the run. A run on its way back is undone,
 * whichever of the two was requested. Null if the run is this installation's own. Rejects with `not-found`.
 */
export async function reviewForeignRun(
  context: ForeignRunContext,
  run: string,
  wanted: 'resume' | 'undo',
): Promise<ForeignReview | null> {
  const { kube, journalNamespaces, memory } = context;
  const opened = await openJournal(kube, await namespaceOfRun(kube, journalNamespaces, run), run, memory);
  if (!opened) throw noSuchRun(run);
  if (opened.provenance.kind === 'own') return null;
  const { plan: found } = opened;
  const journal = opened.current();
  const how = directionOf(journal) === 'undo' ? 'undo' : wanted;
  const problems: ForeignProblem[] = [];
  const review = {
    run,
    how,
    because: opened.provenance.because,
    digest: digestOfRun({ plan: found, journal }),
    cluster: kube.name,
  };
  const claimed = found.operations.filter(({ seq }) => wasBegun(journal, seq)).map(({ id }) => id);
  const accepted = Object.entries(found.choices.acknowledge).map(([id, reason]) => ({ id, reason }));
  const shown = { ...review, claimed, accepted, open: [], problems };
  if (how === 'undo') {
    const back = adoptedForUndo(found, journal);
    const steps = await undoSteps(context, back, journal, problems);
    const instead = insteadOfUpgradeBack({ goal: found.goal, run, direction: directionOf(journal) }, problems.length);
    if (instead !== null) problems.push({ id: null, message: instead });
    return { ...shown, steps, continuation: { how, ...back } };
  }
  const remade = await remadePlan(context, found, problems);
  if (remade === null) return { ...shown, steps: [], continuation: null };
  const steps = remade.operations
    .filter(({ status }) => status === 'needed')
    .map(({ id, title, diff }): ForeignStep => ({ id, title, diff }));
  const open = remade.findings.findings
    .filter((finding) => isBlocking(finding) || needsAnswer(finding))
    .map(({ id, because }) => ({ id, message: because }));
  return { ...shown, open, steps, continuation: { how, plan: remade } };
}

/**
 * A foreign run is undone from its beginning, whatever its journal claims to be undone already: a false entry would skip a step on which the next one
 * relies, while undoing a step twice changes nothing. Pure.
 */
function adoptedForUndo(found: Plan, journal: Journal): AdoptedRun {
  return { plan: inOwnWords(found), entries: withoutWayBack(journal) };
}

/** The plan that its choices lead to now; null with the reason if there is none to continue with. */
async function remadePlan(context: ForeignRunContext, found: Plan, problems: ForeignProblem[]): Promise<Plan | null> {
  const { choices } = found;
  if (choices.source !== undefined) {
    // An address that somebody else chose is not even contacted.
    problems.push({
      id: null,
      message: `It takes Calico's files from ${JSON.stringify(choices.source)}, chosen on another installation. Stop this run, then make a new plan with --source.`,
    });
    return null;
  }
  try {
    const plan = await context.planFrom(choices);
    const blocking = plan.findings.findings.filter((finding) => isBlocking(finding) && !causedByRuns(finding.id));
    problems.push(...blocking.map(({ id, because }) => ({ id, message: because })));
    return plan;
  } catch (error) {
    if (!(error instanceof ChoiceError || error instanceof PlanError) && !isKubeError(error)) throw error;
    problems.push({ id: null, message: `No plan can be made from its answers: ${error.message}` });
    return null;
  }
}

/** What its way back would write, by dry runs. The earlier values are only what the run claims. */
async function undoSteps(
  { kube, releases, signal }: ForeignRunContext,
  { plan, entries }: AdoptedRun,
  journal: Journal,
  problems: ForeignProblem[],
): Promise<ForeignStep[]> {
  const { finished, begun } = forwardProgress({ ...journal, entries });
  const steps: ForeignStep[] = [];
  const taken = new Set<number>();
  for (const { undoes, id, title, act } of planUndo(plan, finished, begun)) {
    const refused = whyNotRestored(act);
    if (refused === null) taken.add(undoes);
    else problems.push({ id, message: refused });
    const diff = refused === null ? await diffOf(kube, act, signal) : '';
    if (diff.split('\n').some((line) => line.startsWith('+') && isMasked(line))) problems.push({ id, message: hidden });
    steps.push({ id, title, diff });
  }
  problems.push(...(await differingFromRelease({ plan, taken, releases, signal })));
  return steps;
}

const hidden =
  'It would write a value that looks like a secret. Secrets are not shown here, so it cannot be reviewed. Undo the run on the installation that recorded it, or stop it and set the value by hand.';

async function diffOf(kube: Kube, act: Act, signal: AbortSignal): Promise<string> {
  if (act.kind === 'sequence') {
    const diffs: string[] = [];
    for (const step of act.steps) diffs.push(await diffOf(kube, step.act, signal));
    return diffs.join('');
  }
  if (!isWriting(act) || act.kind === 'helm') return '';
  const before = await kube.get(act.target, { signal });
  try {
    return yamlDiff(before, await perform(kube, act, 'dry-run', signal));
  } catch (error) {
    // Its object is gone, or an earlier step restores it: the recorded change is shown.
    if (!isKubeError(error, 'not-found', 'not-served')) throw error;
    return yamlDiff(before, 'body' in act ? act.body : null);
  }
}
