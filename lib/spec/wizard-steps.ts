/** The questions of the wizard in the order of asking (ui.md › Frame); an installation has its own order (`stepIdsOf`). A remedy may name one in which to change an answer. */
export const wizardQuestions = [
  'goal',
  'platform',
  'endpoint',
  'proxy',
  'release',
  'resources',
  'options',
  'changes',
  'afterwards',
  'compatibility',
] as const;
export type WizardQuestion = (typeof wizardQuestions)[number];

/** All steps: the questions, the review, and the run's page. */
export const wizardSteps = [...wizardQuestions, 'review', 'run'] as const;
export type WizardStep = (typeof wizardSteps)[number];
