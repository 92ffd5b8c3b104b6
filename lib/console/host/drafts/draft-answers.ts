import type { Findings } from '#lib/checks/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { planAsGitops } from '#lib/plan/index.ts';
import type { RunMemory } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import { jsonText } from '#lib/text/index.ts';
import { withEarlierRuns } from '#lib/usecases/index.ts';
import type { Slug } from '../../host.ts';
import type { Answers } from '../../wizard/answers.ts';
import type { Catalogue } from '../clusters/cluster-catalogue.ts';
import { answering } from '../failures.ts';
import type { HostLog } from '../host-log.ts';
import type { Preflights } from '../preflights.ts';
import type { ReleaseCache } from '../releases/release-cache.ts';
import type { Starts } from '../runs/starts.ts';
import type { AskedHost } from '../shown-host.ts';
import type { Assessments } from './assessments.ts';
import type { DraftStore } from './draft-store.ts';
import type { Reviews } from './reviews.ts';

/** What pages ask of a draft, from what is found without one to its start. */
export function draftAnswers({
  catalogue,
  cache,
  drafts,
  assessed,
  reviewed,
  started,
  preflights,
  memory,
  log,
}: {
  catalogue: Catalogue;
  cache: ReleaseCache;
  drafts: DraftStore;
  assessed: Assessments;
  reviewed: Reviews;
  started: Starts;
  preflights: Preflights;
  memory: RunMemory;
  log: HostLog;
}): Pick<
  AskedHost,
  | 'findings'
  | 'drafts'
  | 'createDraft'
  | 'draft'
  | 'answer'
  | 'renameDraft'
  | 'discardDraft'
  | 'assess'
  | 'preflight'
  | 'startPreflight'
  | 'stopPreflight'
  | 'release'
  | 'getRelease'
  | 'stopRelease'
  | 'review'
  | 'planFiles'
  | 'start'
> {
  /** An installation or an upgrade stores its release, because the proposal may be another one tomorrow. */
  const withRelease = async (cluster: Slug, id: string, given: Partial<Answers>): Promise<Partial<Answers>> => {
    const { answers } = await drafts.read(cluster, id);
    const goal = given.goal ?? answers.goal;
    if ((goal !== 'install' && goal !== 'upgrade') || answers.release !== undefined || given.release !== undefined)
      return given;
    return { ...given, release: assessed.proposedRelease(cluster, { ...answers, goal }) };
  };
  const wantedBy = async (cluster: Slug, id: string) =>
    assessed.wanted(await catalogue.find(cluster), (await drafts.read(cluster, id)).answers);

  const withRuns = async <A extends { findings: Findings; facts: Facts; choices: Choices }>(
    assessment: A,
  ): Promise<A> => ({
    ...assessment,
    findings: await withEarlierRuns(assessment.findings, assessment, memory),
  });

  return {
    findings: (cluster, freshness, goal) =>
      answering(log, `findings ${cluster}`, async () => {
        const entry = await catalogue.find(cluster);
        return withRuns(
          await (goal === 'upgrade'
            ? assessed.assessUpgrade(entry, freshness)
            : assessed.assessPossible(entry, freshness)),
        );
      }),
    drafts: (cluster) => drafts.list(cluster),
    createDraft: (cluster, goal, proposals) =>
      answering(log, `create draft ${cluster}`, async () => {
        await catalogue.find(cluster);
        return drafts.create(cluster, goal, proposals);
      }),
    draft: (cluster, id) => answering(log, `draft ${id}`, () => drafts.read(cluster, id)),
    answer: (cluster, id, revision, step, answers) =>
      answering(log, `answer ${id}`, async () => {
        const given = { revision, step, answers: await withRelease(cluster, id, answers) };
        const entry = await catalogue.find(cluster);
        return drafts.answer(cluster, id, given, (before, after) => assessed.refuseNewProblems(entry, before, after));
      }),
    renameDraft: (cluster, id, name) =>
      answering(log, `rename ${id}`, async () => {
        await drafts.rename(cluster, id, name);
        return null;
      }),
    discardDraft: (cluster, id) =>
      answering(log, `discard ${id}`, async () => {
        await drafts.discard(cluster, id);
        return null;
      }),
    assess: (cluster, id, freshness) =>
      answering(log, `assess ${id}`, async () => {
        const { answers } = await drafts.read(cluster, id);
        const assessment = await assessed.assess(await catalogue.find(cluster), answers, freshness);
        return withRuns(assessment);
      }),
    preflight: (cluster, id) =>
      answering(log, `preflight of ${id}`, async () => preflights.state(await drafts.read(cluster, id))),
    startPreflight: (cluster, id, digest) =>
      answering(log, `start preflight of ${id}`, async () => {
        preflights.start((await drafts.read(cluster, id)).cluster, digest);
        return null;
      }),
    stopPreflight: (cluster) =>
      answering(log, `stop preflight ${cluster}`, async () => {
        preflights.stop(cluster);
        return null;
      }),
    release: (cluster, id) =>
      answering(log, `release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        return wanted && cache.progress(wanted);
      }),
    getRelease: (cluster, id) =>
      answering(log, `get release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        if (wanted === null) return null;
        cache.begin(wanted);
        return cache.progress(wanted);
      }),
    stopRelease: (cluster, id) =>
      answering(log, `stop release ${id}`, async () => {
        const wanted = await wantedBy(cluster, id);
        if (wanted) cache.stop(wanted);
        return null;
      }),
    review: (cluster, id, freshness) =>
      answering(log, `review ${id}`, async () => reviewed.review(await drafts.read(cluster, id), freshness)),
    planFiles: (cluster, id) =>
      answering(log, `plan of ${id}`, async () => {
        const { plan, shell } = await reviewed.review(await drafts.read(cluster, id), 'kept');
        return {
          name: `plan-${plan.goal}-${plan.cluster}`,
          json: `${jsonText(plan, 2)}\n`,
          shell,
          gitops: planAsGitops(plan),
        };
      }),
    start: (cluster, id, request) =>
      answering(log, `start ${id}`, async () => {
        const run = await started.start(cluster, id, request);
        return { run };
      }),
  };
}
