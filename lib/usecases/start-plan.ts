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

/** Why a plan is not carried out. `ids`: the findings that stand in the way. */
export type StartRefusal = { kind: 'blocked'; ids: string[] } | { kind: 'needs-answers'; ids: string[] } | NothingToDo;

export type NothingToDo = { kind: 'nothing-to-do' };

/** Null where a plan may start: `ready`, with something to change. What `check` and `plan` only report stands in its way. */
export function unready(plan: Plan): StartRefusal | null {
  const { verdict, findings } = plan.findings;
  if (verdict === 'blocked') return { kind: 'blocked', ids: findings.filter(isBlocking).map(({ id }) => id) };
  if (verdict === 'needs-answers')
    return { kind: 'needs-answers', ids: findings.filter(needsAnswer).map(({ id }) => id) };
  return nothingToDo(plan);
}

export function nothingToDo(plan: Plan): NothingToDo | null {
  return changesOf(plan).length === 0 ? { kind: 'nothing-to-do' } : null;
}

/** What a run that has not ended means for a start: that very run is carried on instead; another one comes first. */
export type RunBefore = { kind: 'none' } | { kind: 'same'; run: string } | { refused: Refusal };

/**
 * Looks before a plan is made: findings about a cluster in the middle of another run would only mislead. `wanted`: the hash of a saved plan, or the answers
 * that a plan would be made from. Under the Lease `startRun` looks once more.
 */
export async function runBefore(
  context: Pick<RunContext, 'kube' | 'clock' | 'journalNamespaces' | 'identity' | 'signal'>,
  wanted: { planHash: string } | { given: AssessOptions['given'] },
): Promise<RunBefore> {
  const { kube, journalNamespaces } = context;
  const unfinished = unfinishedRun(await listRuns(kube, journalNamespaces));
  if (!unfinished) return { kind: 'none' };
  const { run } = unfinished;
  const hash = 'planHash' in wanted ? wanted.planHash : await hashIfMadeFrom(context, unfinished, wanted.given);
  if (hash !== null && carriesOut(unfinished, hash)) return { kind: 'same', run };
  const holder = await otherHolder(context);
  return { refused: holder !== null ? { kind: 'held', holder, run } : { kind: 'unfinished', run, samePlan: false } };
}

/** The hash of the plan that it carries out, where that was made from the same answers. */
async function hashIfMadeFrom(
  { kube, journalNamespaces }: Pick<RunContext, 'kube' | 'journalNamespaces'>,
  { run, planHash }: RunSummary,
  given: AssessOptions['given'],
): Promise<string | null> {
  const { choices } = (await readRun(kube, journalNamespaces, run)).plan;
  return isMadeFrom(choices, given) ? planHash : null;
}

/** Whether a plan with these answers came of those that are given now. */
export function isMadeFrom(choices: Choices, given: AssessOptions['given']): boolean {
  // Accepted proposals chose the fixes of the plan: asked again, the cluster of a run that is under way proposes others.
  const fix = given.acceptProposals ? [...new Set([...choices.fix, ...given.fix])] : given.fix;
  // A test of the nodes chose that services are asked (`withWatch`); by now it may be outdated.
  const watch = given.watchServices === undefined && choices.watchServices ? { watchServices: true } : {};
  return isDeepStrictEqual(choices, { ...given, ...watch, fix, goal: given.goal ?? choices.goal });
}
