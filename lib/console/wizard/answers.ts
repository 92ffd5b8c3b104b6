import type { Choices } from '#lib/spec/index.ts';
import { type WizardStep, wizardSteps } from '#lib/spec/wizard-steps.ts';

/** Which of them a goal has: `stepsOf`. `release` and `resources`: what is installed. `run` is the run's own page. */
export const stepIds = wizardSteps;
export type StepId = WizardStep;

/** What the wizard keeps: Choices on their way. The same nouns as `--choices FILE`, so that a draft can be carried to the command line. */
export type Answers = Choices;
