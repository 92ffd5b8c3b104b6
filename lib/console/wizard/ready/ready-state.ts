import { isMeasurable } from '#lib/checks/framework/verdict.ts';
import type { Finding } from '#lib/checks/index.ts';
import { withheldAmong } from '#lib/checks/wording/withheld-among.ts';
import type { StepId } from '../answers.ts';
import { type FindingInState, findingsInState } from '../open-findings.ts';
import { stepStates } from '../step-state.ts';
import type { WizardContext } from '../wizard-context.ts';

/** A fix: chosen, or left out with a reason. `seq`: its step in the plan; null if it is left out or has nothing to do. */
export type ReadyFix = { finding: Finding; title: string; seq: number | null; canBeLeftOut: boolean };

/** The findings on the page *Ready to …*, each in one list. */
export type ReadyState = {
  blockers: readonly Finding[];
  /** Findings that neither reading nor measuring can settle, answered ones included. */
  questions: readonly FindingInState[];
  /** Findings that only lack permissions or kinds of a dump. */
  withheld: readonly Finding[];
  /** Findings that only a test of the nodes can settle, not tested yet. */
  unmeasured: readonly Finding[];
  /** The same, but accepted with a reason. */
  vouched: readonly Finding[];
  fixes: readonly ReadyFix[];
  /** The first step whose answer is missing or invalid, and why; null: none. */
  unready: { step: StepId; name: string; because: string } | null;
  /** `nothing`: the plan changes nothing. `unplanned`: no plan can be made from these answers. */
  verdict: 'blocked' | 'unplanned' | 'open' | 'nothing' | 'ready';
  /** Number of steps still needed; with the verdict `nothing` they write nothing. */
  stepsLeft: number;
};

export function readyState(context: WizardContext): ReadyState {
  const { plan } = context;
  const found = findingsInState(context.findings);
  const operations = plan.kind === 'made' ? plan.operations : [];
  const isFix = ({ status, remedy, fixedBy }: Finding) =>
    fixedBy !== null || (status === 'fail' && remedy.autofix !== undefined);

  const blockers = found.filter(({ state }) => state === 'blocking').map(({ finding }) => finding);
  const open = found.filter(({ state }) => state === 'unknown' || state === 'decide');
  const accepted = found.filter(({ finding }) => finding.acknowledged !== null);
  const withheld = withheldAmong(context.findings.findings);
  const isWithheld = ({ finding }: FindingInState) => withheld.includes(finding);
  const of = (some: readonly FindingInState[]) => some.map(({ finding }) => finding).filter(isMeasurable);
  const questions = [...open, ...accepted].filter(
    (one) => !isWithheld(one) && !isMeasurable(one.finding) && !isFix(one.finding),
  );
  const unmeasured = of(open.filter((one) => !isWithheld(one)));
  const fixes = found
    .map(({ finding }) => finding)
    .filter((finding) => isFix(finding) && (finding.fixedBy !== null || finding.acknowledged !== null))
    .map((finding): ReadyFix => {
      const operation = operations.find(({ id, status }) => id === finding.fixedBy && status === 'needed');
      return {
        finding,
        title: operation?.title ?? finding.title,
        seq: operation?.seq ?? null,
        canBeLeftOut: finding.severity !== 'blocking',
      };
    });
  const needed = operations.filter(({ status }) => status === 'needed');
  const left = needed.some(({ targets }) => targets.length > 0);
  const unready = unreadyOf(context);
  const isOpen =
    withheld.length + unmeasured.length > 0 || questions.some(({ finding }) => finding.acknowledged === null);
  return {
    blockers,
    questions,
    withheld,
    unmeasured,
    vouched: of(accepted),
    fixes,
    unready,
    stepsLeft: needed.length,
    verdict:
      blockers.length > 0
        ? 'blocked'
        : plan.kind === 'none' || unready !== null
          ? 'unplanned'
          : isOpen
            ? 'open'
            : left
              ? 'ready'
              : 'nothing',
  };
}

/** The first step that is not ready, except for reasons from findings, which the page shows itself. */
function unreadyOf(context: WizardContext): ReadyState['unready'] {
  for (const { id, name, ready } of stepStates(context.draft, context))
    if (ready.kind === 'not-ready' && id !== 'compatibility' && id !== 'changes')
      return { step: id, name, because: ready.because };
  return null;
}
