import type { Choices } from '#lib/spec/index.ts';

/**
 * Steps of the wizard, in order (ui.md › Frame); which of them a goal has: `stepsOf`. `release` and `resources`: what is installed. `run` is the
 * run's own page.
 */
export const stepIds = [
  'goal',
  'platform',
  'endpoint',
  'proxy',
  'release',
  'resources',
  'options',
  'compatibility',
  'review',
  'run',
] as const;
export type StepId = (typeof stepIds)[number];

/** What the wizard keeps: Choices on their way. The same nouns as `--choices FILE`, so that a draft can be carried to the command line. */
export type Answers = Choices;
