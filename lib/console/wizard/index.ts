export { type Answers, type StepId, stepIds } from './answers.ts';
export { type CommandPreview, commandPreview } from './command-preview.ts';
export { type EndpointRow, type EndpointRows, endpointRows } from './endpoint-rows.ts';
export { flagsOfEntry, type NamedEntry } from './flags-of-entry.ts';
export { fieldMeaning, fieldName } from './forms/changes-form.ts';
export { type FormStepId, isFormStep, stepForms } from './forms/forms.ts';
export { asDetected } from './forms/platform-form.ts';
export type { Values } from './forms/step-form.ts';

export { goalWords } from './goal-words.ts';
export type { InstallationStepData } from './installation-step-data.ts';
export type { KeepAnswer, SavedAnswers, StepPlace } from './kept.ts';
export {
  type FindingInState,
  type FixOffer,
  findingsInState,
  fixOffer,
  isVerified,
  openCounts,
  sharedBefore,
} from './open-findings.ts';
export {
  type EndpointProposal,
  endpointProposal,
  type GoalOption,
  goalOptions,
  type PlatformProposal,
  type ProxyProposal,
  platformProposal,
  proxyProposal,
} from './proposals.ts';
export { foundRows } from './ready/found-rows.ts';
export { type ReadyFix, type ReadyState, readyState } from './ready/ready-state.ts';
export type { FoundRow } from './ready/rows/found-row.ts';
export { splitAddress } from './split-address.ts';
export { blockingIn, type Ready, type StepState, stepStates } from './step-state.ts';
export {
  changePath,
  draftPageName,
  draftPath,
  hasReadyPage,
  isOnReadyPage,
  neighbours,
  readyPath,
  stepIdsOf,
  stepOf,
  stepPath,
  stepText,
} from './steps.ts';
export type { WizardContext } from './wizard-context.ts';
