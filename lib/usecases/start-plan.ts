import { isDeepStrictEqual } from 'node:util';
import { isBlocking, needsAnswer } from '#lib/checks/index.ts';
import { changesOf, type Plan } from '#lib/plan/index.ts';
import {
  carriesOut,
  listRuns,
  otherHolder,
  type Refusal,
  type RunContext,
  type RunSummary,
  readRun,
  unfinishedRun,
} from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { AssessOptions } from './assess.ts';

/** Why a plan is not carried out. `ids`: the findings that block it. */
export type StartRefusal = { kind: 'blocked'; ids: string[] } | { kind: 'needs-answers'; ids: string[] } | NothingToDo;

export type NothingToDo = { kind: 'nothing-to-do' };

/** Null if a plan may start: it is `ready` and changes something. Findings that `check` and `plan` only report block it here. */
export function whyNotReady(plan: Plan): StartRefusal | null {
  const { verdict, findings } = plan.findings;
  if (verdict === 'blocked') return { kind: 'blocked', ids: findings.filter(isBlocking).map(({ id }) => id) };
  if (verdict === 'needs-answers')
    return { kind: 'needs-answers', ids: findings.filter(needsAnswer).map(({ id }) => id) };
  return nothingToDo(plan);
}

/** The refusal of a plan that writes nothing; null if it does. */
export function nothingToDo(plan: Plan): NothingToDo | null {
  return changesOf(plan).length === 0 ? { kind: 'nothing-to-do' } : null;
}

/** What an unfinished run means for a start. `same`: it carries out this very plan and is continued instead. `refused`: another run has to end first. */
export type RunBefore = { kind: 'none' } | { kind: 'same'; run: string } | { refused: Refusal };

/**
 * Looks for an unfinished run before a plan is made, because findings about a cluster in the middle of a run would mislead. `wanted`: the hash of a
 * saved plan, or the answers for a new one. `startRun` looks again under the Lease.
 */
export async function runBefore(
  context: Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal'>,
  wanted: { planHash: string } | { answers: AssessOptions['answers'] },
): Promise<RunBefore> {
  const { kube, journalNamespaces } = context;
  const unfinished = unfinishedRun(await listRuns(kube, journalNamespaces));
  if (!unfinished) return { kind: 'none' };
  const { run } = unfinished;
  const hash = 'planHash' in wanted ? wanted.planHash : await hashIfMadeFrom(context, unfinished, wanted.answers);
  if (hash !== null && carriesOut(unfinished, hash)) return { kind: 'same', run };
  const holder = await otherHolder(context);
  return { refused: holder !== null ? { kind: 'held', holder, run } : { kind: 'unfinished', run, samePlan: false } };
}

/** The hash of the unfinished run's plan, if it was made from the same answers. */
async function hashIfMadeFrom(
  { kube, journalNamespaces }: Pick<RunContext, 'kube' | 'journalNamespaces'>,
  { run, planHash }: RunSummary,
  answers: AssessOptions['answers'],
): Promise<string | null> {
  const { choices } = (await readRun(kube, journalNamespaces, run)).plan;
  return isMadeFrom(choices, answers) ? planHash : null;
}

/** Whether a plan with these choices results from these answers. */
export function isMadeFrom(choices: Choices, answers: AssessOptions['answers']): boolean {
  // Accepted proposals chose the plan's fixes. Asked again, the cluster in the middle of the run would propose others.
  const fix = answers.acceptProposals ? [...new Set([...choices.fix, ...answers.fix])] : answers.fix;
  // The choice to watch Services came from a test of the nodes (`withWatch`), which may have expired.
  const watch = answers.watchServices === undefined && choices.watchServices ? { watchServices: true } : {};
  return isDeepStrictEqual(choices, { ...answers, ...watch, fix, goal: answers.goal ?? choices.goal });
}
