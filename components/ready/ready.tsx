import Link from 'next/link';
import { CheckAllAgain } from '#components/compatibility/check-all-again.tsx';
import { Frozen } from '#components/compatibility/frozen.tsx';
import { PartialNotice } from '#components/compatibility/partial-notice.tsx';
import { RecheckProvider } from '#components/compatibility/recheck.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { nodeCountWords } from '#components/preflight/node-count-words.ts';
import { TestAgain } from '#components/preflight/test-nodes.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { ReleaseBelow } from '#components/wizard/release-below.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import type { HostAnswer, PreflightState } from '#lib/console/host.ts';
import {
  foundRows,
  type ReadyState,
  readyState,
  type StepPlace,
  stepForms,
  stepPath,
  type WizardContext,
} from '#lib/console/wizard/index.ts';
import type { Facts } from '#lib/facts/index.ts';
import { besideFound } from './beside-found.ts';
import { Blockers } from './blockers.tsx';
import { DataPlane } from './data-plane.tsx';
import { DryRun } from './dry-run.tsx';
import { Fixes } from './fixes.tsx';
import { FoundFacts } from './found-facts.tsx';
import { MeasuredNodes } from './measured-nodes.tsx';
import { NotReadCard } from './not-read-card.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { Questions } from './questions.tsx';
import { ReadyFooter } from './ready-footer.tsx';
import { readyTitle } from './ready-words.ts';
import { Unmeasured } from './unmeasured.tsx';

/** A lighter ink for panels that matter less than the blockers. `text-ink` is repeated because a child inherits the computed colour, not the variable. */
const quiet = 'text-ink [--ink:var(--ink-2)] [--rail:var(--ink-3)]';

/**
 * Everything that a healthy cluster needs, on one page: facts, the fixes in the plan, the questions that only the administrator can answer, and the plan in
 * one sentence. It changes nothing on the cluster: only the review starts a run.
 */
export function Ready({
  context,
  preflight,
  again,
}: {
  context: WizardContext;
  /** Null: the objects that a test of the nodes would create could not be determined. */
  preflight: PreflightState | null;
  again: () => Promise<HostAnswer<null>>;
}) {
  const { draft, facts, findings, plan } = context;
  const state = readyState(context);
  const place: StepPlace = { cluster: draft.cluster, draft: draft.id, step: 'compatibility', from: 'ready' };
  const isStandard = draft.answers.goal === 'install' && draft.answers.dataplane === 'Iptables';
  const isAllTested = state.unmeasured.length + state.vouched.length === 0;
  const nodes = isStandard ? null : (
    <MeasuredNodes
      measured={facts.measured}
      again={isAllTested && preflight !== null ? <TestAgain place={place} preflight={preflight} /> : null}
    />
  );
  const isBlocked = state.verdict === 'blocked';
  const found = foundRows(context);
  const { questions, withheld, unmeasured, fixes } = state;
  const asks = questions.length + withheld.length + unmeasured.length > 0 || draft.answers.goal === 'install';
  const measured = facts.measured?.nodes ?? [];
  const beside = besideFound({
    found,
    questions,
    withheld,
    unmeasured,
    fixes,
    nodes: nodes === null || measured.length === 0 ? null : measured,
  });
  const areFixesBeside = isBlocked || beside.fixes;
  const areNodesBeside = !isBlocked && beside.nodes;
  const fixed = <Fixes place={place} revision={draft.revision} fixes={fixes} />;
  const planned = (
    <PlanPanel
      plan={plan}
      state={state}
      review={stepPath(draft.cluster, draft.id, 'review')}
      dryRun={<DryRun cluster={draft.cluster} draft={draft.id} />}
    />
  );
  return (
    <RecheckProvider again={again}>
      <PageHead
        title={readyTitle(draft.answers, facts, state)}
        sub={
          <>
            {nodeCountWords(facts)} · {counted(findings.findings.length, 'check')}
            {facts.measured !== null && ` and ${counted(measurementsOf(facts.measured), 'measurement')}`},{' '}
            <RelativeTime at={facts.observedAt} /> · {standing(state)}
          </>
        }
        actions={
          <>
            {state.blockers.length === 0 && <CheckAllAgain />}
            <Link
              href={stepPath(draft.cluster, draft.id, 'goal')}
              prefetch={false}
              className="inline-flex min-h-8 items-center px-1 font-[560] no-underline hover:underline"
            >
              Step by step
            </Link>
          </>
        }
      />
      <RecheckProblem />
      <PartialNotice facts={facts} />
      <Frozen>
        <div className="flex min-w-0 flex-col gap-4">
          <Blockers place={place} blockers={state.blockers} />
          {isBlocked ? nodes : planned}
          {/* One column if blockers leave no question: a second column would be almost empty. */}
          <div
            className={`grid min-w-0 grid-cols-1 gap-4 ${isBlocked ? '[--sheet:var(--paper)]' : ''} ${isBlocked && !asks ? '' : 'min-[1100px]:grid-cols-[minmax(0,1.55fr)_minmax(0,1fr)]'}`}
          >
            <FoundFacts rows={found} draft={draft} observedAt={facts.observedAt} isQuiet={isBlocked} />
            <div
              className={`grid min-w-0 grid-cols-1 gap-4 ${!isBlocked && beside.isLevel ? 'content-stretch' : 'content-start'} ${isBlocked ? quiet : ''}`}
            >
              {draft.answers.goal === 'install' && (
                <DataPlane
                  place={{ ...place, step: 'options' }}
                  revision={draft.revision}
                  saved={stepForms.options.read(draft.answers)}
                />
              )}
              {context.release !== null && context.release.progress.kind !== 'open' && (
                <ReleaseBelow place={{ ...place, step: 'release' }} progress={context.release.progress} />
              )}
              <Questions place={place} context={context} state={state} />
              <NotReadCard place={place} context={context} />
              <Unmeasured place={place} revision={draft.revision} state={state} preflight={preflight} />
              {areFixesBeside && fixed}
              {areNodesBeside && nodes}
            </div>
          </div>
          {!areFixesBeside && fixed}
          {!isBlocked && !areNodesBeside && nodes}
          {isBlocked && <div className={`[--sheet:var(--paper)] ${quiet}`}>{planned}</div>}
        </div>
      </Frozen>
      <ReadyFooter
        state={state}
        again={isBlocked ? <CheckAllAgain /> : null}
        review={stepPath(draft.cluster, draft.id, 'review')}
      />
    </RecheckProvider>
  );
}

function measurementsOf({ nodes }: NonNullable<Facts['measured']>): number {
  return nodes.reduce(
    (sum, { tests }) => sum + Object.values(tests).filter(({ kind }) => kind !== 'not-run').length,
    0,
  );
}

/** `nothing is in the way`; `1 finding blocks the plan, 2 need your answer`. */
function standing({ blockers, questions, withheld, unmeasured }: ReadyState): string {
  const open = questions.filter(({ finding }) => finding.acknowledged === null).length;
  const phrases = [
    blockers.length === 0
      ? ''
      : `${counted(blockers.length, 'finding')} ${agreeing(blockers.length, 'blocks', 'block')} the plan`,
    open === 0 ? '' : `${open} ${open === 1 ? 'needs' : 'need'} your answer`,
    withheld.length === 0 ? '' : `${withheld.length} not read`,
    unmeasured.length === 0 ? '' : `${unmeasured.length} not tested`,
  ].filter((part) => part !== '');
  return phrases.length === 0 ? 'nothing is in the way' : phrases.join(', ');
}
