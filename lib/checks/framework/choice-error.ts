import type { ChoiceProblem } from './choice-problems.ts';

/** An acknowledgement or fix that cannot be had; `problems` names each field. */
export class ChoiceError extends Error {
  override name = 'ChoiceError';
  readonly problems: readonly ChoiceProblem[];

  constructor(problems: readonly ChoiceProblem[]) {
    super(problems.map((problem) => problem.message).join('\n'));
    this.problems = problems;
  }
}
