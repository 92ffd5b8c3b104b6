export { type Answers, type StepId, stepIds } from './answers.ts';
export { type CommandPart, type CommandPreview, commandPreview } from './command-preview.ts';
export { type EndpointSight, type EndpointSights, endpointSights } from './endpoint-sights.ts';
export { type FormStepId, isFormStep, stepForms } from './forms/forms.ts';
export { asDetected } from './forms/platform-form.ts';
export type { ProxyStrategy } from './forms/proxy-form.ts';
export type { Parsed, StepForm, Values } from './forms/step-form.ts';

export type { InstallationSight } from './installation-sight.ts';
export type { KeepAnswer, Kept, Place } from './kept.ts';
export {
  type OpenCounts,
  openCounts,
  type Standing,
  type StandingFinding,
  standingFindings,
} from './open-findings.ts';
export {
  type EndpointProposal,
  endpointProposal,
  type GoalOption,
  goalOptions,
  type PlatformProposal,
  type ProxyOption,
  type ProxyProposal,
  platformProposal,
  proxyProposal,
} from './proposals.ts';
export { splitAddress } from './split-address.ts';
export { blockingIn, type Ready, type StepState, stepStates } from './step-state.ts';
export { neighbours, openStep, type Step, stepIdsOf, stepOf, stepPath, stepText } from './steps.ts';
export type { WizardContext } from './wizard-context.ts';
