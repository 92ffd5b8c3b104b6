import type { ChoiceProblem } from './choice-problems.ts';

/** Answers about findings that are not possible. `problems`: each field with its reason. */
export class ChoiceError extends Error {
  override name = 'ChoiceError';
  readonly problems: readonly ChoiceProblem[];

  constructor(problems: readonly ChoiceProblem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.problems = problems;
  }
}
