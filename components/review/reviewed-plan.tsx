import { shortHash } from '#components/run/run-words.ts';
import { CompactTrack } from '#components/track/compact-track.tsx';
import { type CompactStep, groupsOf } from '#components/track/compact-track-layout.ts';
import { ButtonLink } from '#components/ui/button.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { agreeing, counted } from '#lib/base/words.ts';
import type { Review } from '#lib/console/host.ts';
import { hasReadyPage, readyPath, stepText } from '#lib/console/wizard/index.ts';
import {
  asksForName,
  changesOf,
  isNeeded,
  type Plan,
  type PlannedOperation,
  planUndo,
  touchesTraffic,
  yoursToDo,
} from '#lib/plan/index.ts';
import { Bookkeeping } from './bookkeeping.tsx';
import { OperationEntry } from './operation-entry.tsx';
import { planSummary, startWords } from './plan-summary.ts';
import { ReviewAgain } from './review-again.tsx';
import { ReviewBlocked } from './review-blocked.tsx';
import { shownPlan } from './shown-plan.ts';
import { StartForm } from './start-form.tsx';

export function ReviewedPlan({ cluster, draft, review }: { cluster: string; draft: string; review: Review }) {
  const { plan, revision } = review;
  const steps = `/clusters/${cluster}/runs/${draft}`;
  const downloads = `/api/clusters/${cluster}/drafts/${draft}`;
  const order = wayBackOrder(plan);
  const isNothing = changesOf(plan).length === 0;
  const needed = new Set(plan.operations.filter(isNeeded).map(({ seq }) => seq));
  const track = plan.operations.map((operation): CompactStep => {
    const { seq, id, title, usualSeconds: seconds } = operation;
    return { seq, id, title, traffic: touchesTraffic(operation), seconds };
  });
  const groups = groupsOf(track).map(({ name, steps: of }) => ({
    name,
    operations: plan.operations.filter(({ seq }) => of.some((step) => step.seq === seq)),
  }));
  return (
    <>
      <PageHead
        title={stepText('review').question}
        sub={isNothing ? `Nothing to start on ${plan.cluster}.` : `${planSummary(plan)}.`}
        actions={<ReviewAgain cluster={cluster} draft={draft} />}
      />
      <div className="flex min-w-0 flex-col gap-4">
        {!isNothing && <ReviewBlocked findings={plan.findings} compatibility={`${steps}/compatibility`} />}
        {!isNothing && plan.release?.notice && (
          <Notice state="warn" title={plan.release.notice}>
            Compare the files with a copy that you trust before you start: the run writes what stands in them.
          </Notice>
        )}
        {isNothing && <NothingToStart operations={plan.operations} />}
        <Panel>
          <div className="px-4 pt-3">
            <CompactTrack steps={track.filter(({ seq }) => needed.has(seq))} />
          </div>
        </Panel>
        <Panel title="Step by step" aside={isNothing ? undefined : <Rehearsed madeAt={plan.madeAt} />}>
          {groups.map(({ name, operations }) => (
            <section
              key={name}
              aria-label={`${name}: ${counted(operations.length, 'step')}`}
              className="border-b border-line last:border-b-0"
            >
              <h3 className="border-b border-line bg-paper px-4 py-1.5 text-sm">
                <span className="font-semibold">{name}</span>
                <span className="font-normal text-ink-3"> · {counted(operations.length, 'step')}</span>
              </h3>
              <ol className="divide-y divide-line">
                {operations.map((operation) =>
                  isNeeded(operation) ? (
                    <OperationEntry
                      key={operation.seq}
                      operation={operation}
                      backAt={order.get(operation.seq) ?? null}
                    />
                  ) : (
                    <DoneEntry key={operation.seq} operation={operation} />
                  ),
                )}
              </ol>
            </section>
          ))}
        </Panel>
        {!isNothing && <Bookkeeping />}
        <div className="flex flex-wrap items-center gap-2">
          <ButtonLink href={`${downloads}/plan.json`} download>
            Download plan.json
          </ButtonLink>
          <ButtonLink href={`${downloads}/plan.sh`} download>
            Download as shell script
          </ButtonLink>
          <ButtonLink href={`${downloads}/plan.yaml`} download>
            Download end state for Git
          </ButtonLink>
          <code className="text-ink-3">{shortHash(plan.hash)}</code>
        </div>
        {(plan.warnings ?? []).map((warning) => (
          <StateMark key={warning} state="warn">
            {warning}
          </StateMark>
        ))}
        {!isNothing && plan.findings.verdict === 'ready' && (
          <StartForm
            cluster={cluster}
            draft={draft}
            back={hasReadyPage(plan.choices) ? readyPath(cluster, draft) : `${steps}/compatibility`}
            revision={revision}
            planHash={plan.hash}
            shown={shownPlan(plan)}
            words={startWords(plan)}
            name={asksForName(plan) ? plan.cluster : null}
          />
        )}
      </div>
    </>
  );
}

/** Without a change there is nothing to start: all is as it should be, or what is left is the reader's own to do. */
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

function Rehearsed({ madeAt }: { madeAt: string }) {
  return (
    <span className="flex flex-wrap gap-x-3 text-sm">
      <StateMark state="ok">tried on the server, and so was the way back</StateMark>
      <span>
        <RelativeTime at={madeAt} />; made again right before the start
      </span>
    </span>
  );
}

/** What is as it should be already: said, and not in the way. */
function DoneEntry({ operation: { seq, title } }: { operation: PlannedOperation }) {
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-2 px-4 py-2.5 text-ink-3">
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

/** `seq` of an operation → when it is taken back if all of the plan was carried out: `2nd of 7 on the way back`. */
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
