import { FindingsHead } from '#components/compatibility/findings-head.tsx';
import { RecheckProblem } from '#components/compatibility/recheck-problem.tsx';
import { PageHead } from '#components/ui/page-head.tsx';
import type { PreflightState } from '#lib/console/host.ts';
import {
  type FormStepId,
  findingsInState,
  neighbours,
  readyPath,
  type StepId,
  type StepPlace,
  type StepState,
  stepForms,
  stepPath,
  stepText,
  type WizardContext,
} from '#lib/console/wizard/index.ts';
import { StepBelow } from './step-below.tsx';
import { StepFields } from './step-fields.tsx';
import { StepForm } from './step-form.tsx';
import { subOf } from './step-sub.ts';

/** Heading, form and findings of a step. */
export function StepQuestion({
  context,
  preflight,
  step,
  from,
  states,
}: {
  context: WizardContext;
  preflight: PreflightState | null;
  step: FormStepId;
  from: StepPlace['from'];
  states: readonly StepState[];
}) {
  const { draft, facts, findings } = context;
  const place = { cluster: draft.cluster, draft: draft.id, step, from };
  const kept = { revision: draft.revision, values: stepForms[step].read(draft.answers) };
  const { back } = neighbours(step, draft.answers);
  const ready = states.find(({ id }) => id === step)?.ready ?? { kind: 'ready' };
  const title = stepText(step, draft.answers.goal).question;
  return (
    <>
      {step === 'compatibility' ? (
        <FindingsHead title={title} findings={findings} left={findingsInState(findings)} facts={facts} />
      ) : (
        <PageHead title={title} sub={subOf(step, context)} />
      )}
      <RecheckProblem />
      <StepForm
        place={place}
        saved={kept}
        ready={ready}
        back={backOf(place, back)}
        below={<StepBelow place={place} context={context} preflight={preflight} />}
      >
        <StepFields step={step} context={context} saved={kept.values} />
      </StepForm>
    </>
  );
}

function backOf({ cluster, draft, from }: StepPlace, before: StepId | null): string | null {
  if (from === 'ready') return readyPath(cluster, draft);
  return before === null ? null : stepPath(cluster, draft, before);
}
