/** The questions of the wizard, in the order in which they are asked (ui.md › Frame); an installation has an order of its own (`stepIdsOf`). A remedy may name one as the place where an answer is changed. */
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

/** All of its steps: after the questions what would change, and the run's own page. */
export const wizardSteps = [...wizardQuestions, 'review', 'run'] as const;
export type WizardStep = (typeof wizardSteps)[number];
