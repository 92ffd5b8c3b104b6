import Link from 'next/link';
import { ClosingDetails } from '#components/frame/closing-details.tsx';
import { DownIcon } from '#components/frame/down-icon.tsx';
import { shortHash } from '#components/run/run-words.ts';
import { CompactTrackLater } from '#components/track/compact-track-later.tsx';
import { groupsOf } from '#components/track/compact-track-layout.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { Chevron } from '#components/ui/chevron.tsx';
import { DecisionFooter } from '#components/ui/decision-footer.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Review } from '#lib/console/host.ts';
import { goalWords, hasReadyPage, readyPath, stepIdsOf, stepText } from '#lib/console/wizard/index.ts';
import {
  asksForName,
  changesOf,
  isNeeded,
  type Plan,
  type PlannedOperation,
  planUndo,
  stakesOf,
  yoursToDo,
} from '#lib/plan/index.ts';
import { Bookkeeping } from './bookkeeping.tsx';
import { OperationEntry, reviewColumns } from './operation-entry.tsx';
import { PauseBetween } from './pause-between.tsx';
import { groupSummary, planSummary, startWords } from './plan-summary.ts';
import { ReviewAgain } from './review-again.tsx';
import { ReviewBlocked } from './review-blocked.tsx';
import { shownPlan } from './shown-plan.ts';
import { StartForm } from './start-form.tsx';
import { trackOfPlan } from './track-of-plan.ts';
import { WatchedServices } from './watched-services.tsx';

export function ReviewedPlan({ cluster, draft, review }: { cluster: string; draft: string; review: Review }) {
  const { plan, revision, flags } = review;
  const steps = `/clusters/${cluster}/runs/${draft}`;
  const order = wayBackOrder(plan);
  const isNothing = changesOf(plan).length === 0;
  const track = trackOfPlan(plan.operations);
  const groups = groupsOf(track).map(({ name, steps: of }) => ({
    name,
    operations: plan.operations.filter(({ seq }) => of.some((step) => step.seq === seq)),
  }));
  const back = hasReadyPage(plan.choices) ? readyPath(cluster, draft) : `${steps}/compatibility`;
  const { lead, rest } = planSummary(plan);
  return (
    <>
      <PageHead
        title={stepText('review').question}
        sub={
          <>
            {goalWords[plan.goal]} on {plan.cluster} · plan <code>{shortHash(plan.hash)}</code>, made{' '}
            <RelativeTime at={plan.madeAt} />
          </>
        }
        actions={
          <>
            {/* A goal that was chosen elsewhere has no questions to go through. */}
            {stepIdsOf({ goal: plan.goal }).includes('goal') && (
              <ButtonLink kind="quiet" href={`${steps}/goal`}>
                Step by step
              </ButtonLink>
            )}
            <ReviewAgain cluster={cluster} draft={draft} />
            <Downloads at={`/api/clusters/${cluster}/drafts/${draft}`} />
          </>
        }
      />
      <div className="flex min-w-0 flex-col gap-4">
        {!isNothing && <ReviewBlocked findings={plan.findings} compatibility={`${steps}/compatibility`} />}
        {!isNothing && plan.release?.notice && (
          <Notice state="warn" title={plan.release.notice}>
            Compare the files with a copy that you trust before you start: the run writes what stands in them.
          </Notice>
        )}
        {(plan.warnings ?? []).map((warning) => (
          <StateMark key={warning} state="warn">
            {warning}
          </StateMark>
        ))}
        {isNothing && <NothingToStart operations={plan.operations} />}
        {plan.operations.some(isNeeded) && (
          <Panel>
            {!isNothing && (
              <p className="border-b border-line px-4 py-3">
                <b className="font-semibold">{lead}</b> {rest}
              </p>
            )}
            <div className="px-4 pt-3 pb-1">
              <CompactTrackLater steps={track} />
            </div>
          </Panel>
        )}
        <Panel>
          <div
            aria-hidden="true"
            className={`${reviewColumns} border-b border-line py-2 text-sm font-semibold text-ink-3 max-xl:hidden`}
          >
            <span className="text-right">#</span>
            <span>Step</span>
            <span>Traffic</span>
            <span>Writes</span>
            <span>Object</span>
            <span className="text-right">Typical</span>
          </div>
          {groups.map(({ name, operations }) => (
            // Groups that only read are closed, because the decision does not need them.
            <details
              key={name}
              open={name !== 'Verify'}
              className="group/part border-b border-line last:border-b-0 [&:last-child>summary]:rounded-b-md"
            >
              <summary className="flex min-h-8 list-none flex-wrap items-center justify-between gap-x-3 bg-paper px-4 py-1.5 text-sm select-none group-open/part:border-b group-open/part:border-line hover:bg-sunk [&::-webkit-details-marker]:hidden">
                <h2 className="font-semibold">
                  {name}
                  <span className="font-normal text-ink-3"> · {counted(operations.length, 'step')}</span>
                </h2>
                <span className="flex items-center gap-3 text-ink-3">
                  {groupSummary(operations)}
                  <Chevron look="transition-transform group-open/part:rotate-90" />
                </span>
              </summary>
              <ol aria-label={`${name}: ${counted(operations.length, 'step')}`} className="divide-y divide-line">
                {operations.map((operation) =>
                  isNeeded(operation) ? (
                    <OperationEntry
                      key={operation.seq}
                      operation={operation}
                      backAt={order.get(operation.seq) ?? null}
                      flags={flags}
                    />
                  ) : (
                    <DoneEntry key={operation.seq} operation={operation} />
                  ),
                )}
              </ol>
            </details>
          ))}
        </Panel>
        {!isNothing && <PauseBetween cluster={cluster} draft={draft} plan={plan} />}
        {!isNothing && <WatchedServices cluster={cluster} draft={draft} plan={plan} />}
        {!isNothing && <Bookkeeping isWatched={plan.choices.watchServices === true} />}
      </div>
      {isNothing || plan.findings.verdict !== 'ready' ? (
        <DecisionFooter>
          <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="min-w-0 flex-1 basis-60 text-ink-2">
              {isNothing
                ? 'Nothing to start.'
                : plan.findings.verdict === 'blocked'
                  ? 'Off until what blocks the plan is fixed.'
                  : 'Off until each finding is fixed or accepted.'}
            </p>
            <ButtonLink href={back}>Back</ButtonLink>
          </div>
        </DecisionFooter>
      ) : (
        <StartForm
          cluster={cluster}
          draft={draft}
          back={back}
          revision={revision}
          planHash={plan.hash}
          shown={shownPlan(plan)}
          words={startWords(plan)}
          name={asksForName(plan) ? plan.cluster : null}
          stakes={stakesWords(plan)}
        />
      )}
    </>
  );
}

/** `2 risks accepted · undo stored before each change`. */
function stakesWords(plan: Plan): string {
  const accepted = plan.findings.findings.filter(({ acknowledged }) => acknowledged !== null).length;
  const { oneWay } = stakesOf(plan);
  return [
    ...(accepted === 0 ? [] : [`${counted(accepted, 'risk')} accepted`]),
    oneWay === 0 ? 'undo stored before each change' : `${counted(oneWay, 'change')} cannot be undone`,
  ].join(' · ');
}

function Downloads({ at }: { at: string }) {
  return (
    <ClosingDetails className="relative">
      <summary className="inline-flex min-h-8 list-none items-center gap-2 rounded-md border border-edge bg-sheet px-3 py-1.5 font-[560] select-none hover:bg-sunk [&::-webkit-details-marker]:hidden">
        Download
        <DownIcon />
      </summary>
      <ul className="absolute right-0 z-20 mt-1 min-w-64 rounded-md border border-line bg-sheet py-1 shadow-float max-sm:right-auto max-sm:left-0">
        {downloads.map(({ file, words }) => (
          <li key={file}>
            <Link
              href={`${at}/${file}`}
              prefetch={false}
              download
              className="flex min-h-8 items-center justify-between gap-4 px-3 text-ink no-underline hover:bg-sunk"
            >
              {words} <code className="text-ink-3">{file}</code>
            </Link>
          </li>
        ))}
      </ul>
    </ClosingDetails>
  );
}

const downloads = [
  { file: 'plan.json', words: 'Plan' },
  { file: 'plan.sh', words: 'Shell script' },
  { file: 'plan.yaml', words: 'End state for Git' },
] as const;

/** Shown without changes: everything is done already, or only steps of the administrator are left. */
function NothingToStart({ operations }: Pick<Plan, 'operations'>) {
  const own = yoursToDo({ operations });
  return (
    <Panel>
      {own.length === 0 ? (
        <Empty title="Already in the desired state">
          <p>All {operations.length} steps find what they would bring about. There is nothing to start.</p>
        </Empty>
      ) : (
        <Empty
          title={`${counted(own.length, 'step')} left, ${agreeing(own.length, 'and it is', 'and they are')} yours to do`}
        >
          <p>Signalbox has nothing to write. Open the step for what to do, then rebuild the plan: it checks again.</p>
        </Empty>
      )}
    </Panel>
  );
}

/** A step that is done already. */
function DoneEntry({ operation: { seq, title } }: { operation: PlannedOperation }) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-2 px-4 py-1.5 text-ink-3 xl:gap-x-3">
      <span className="text-right text-sm" aria-hidden="true">
        {seq}
      </span>
      <span className="flex flex-wrap justify-between gap-x-4 text-sm">
        {title}
        <StateMark state="ok">already done</StateMark>
      </span>
    </li>
  );
}

/** The place of each operation, by `seq`, in the undo of the whole plan: `2nd of 7 on the way back`. */
function wayBackOrder(plan: Plan): ReadonlyMap<number, string> {
  const steps = planUndo(
    plan,
    plan.operations.map(({ seq }) => seq),
    null,
  );
  return new Map(
    steps.map(({ undoes }, index) => [undoes, `${ordinal(index + 1)} of ${steps.length} on the way back`]),
  );
}

const endings: Record<Intl.LDMLPluralRule, string> = {
  one: 'st',
  two: 'nd',
  few: 'rd',
  other: 'th',
  zero: 'th',
  many: 'th',
};
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

function ordinal(number: number): string {
  return `${number}${endings[rules.select(number)]}`;
}
