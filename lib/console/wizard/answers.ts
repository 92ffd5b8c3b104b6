import type { Choices } from '#lib/spec/index.ts';
import { type WizardStep, wizardSteps } from '#lib/spec/wizard-steps.ts';

/** All steps; `stepIdsOf` has those of a goal. `release` and `resources` decide what is installed. `run` is the run's page. */
export const stepIds = wizardSteps;
export type StepId = WizardStep;

/** The wizard's answers. The same fields as `--choices FILE`, so that a draft can be used on the command line. */
export type Answers = Choices;
