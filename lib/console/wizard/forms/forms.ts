import { z } from 'zod';
import type { WizardQuestion } from '#lib/spec/index.ts';
import type { StepId } from '../answers.ts';
import { afterwardsForm } from './afterwards-form.ts';
import { changesForm } from './changes-form.ts';
import { endpointForm } from './endpoint-form.ts';
import { goalForm } from './goal-form.ts';
import { optionsForm } from './options-form.ts';
import { platformForm } from './platform-form.ts';
import { proxyForm } from './proxy-form.ts';
import { releaseForm } from './release-form.ts';
import { resourcesForm } from './resources-form.ts';
import { defineStepForm, type StepForm } from './step-form.ts';

/** A step without fields: findings are answered one by one. */
const compatibilityForm = defineStepForm({ schema: z.object({}), read: () => ({}), write: () => ({}) });

/** Steps with a form. `review` and `run` have none. */
export const stepForms: Readonly<Record<FormStepId, StepForm>> = {
  goal: goalForm,
  platform: platformForm,
  endpoint: endpointForm,
  proxy: proxyForm,
  release: releaseForm,
  resources: resourcesForm,
  options: optionsForm,
  changes: changesForm,
  afterwards: afterwardsForm,
  compatibility: compatibilityForm,
};
export type FormStepId = WizardQuestion;

export function isFormStep(step: StepId): step is FormStepId {
  return step !== 'review' && step !== 'run';
}
