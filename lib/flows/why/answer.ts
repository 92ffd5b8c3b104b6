/** What can be told of a condition: that it holds, that it does not, or why nobody can tell from here. */
export type Answer = boolean | Unknown;
export type Unknown = { readonly unknown: string };

/** All hold. What does not hold decides, whatever else is not known. */
export function every(answers: readonly Answer[]): Answer {
  return answers.includes(false) ? false : (answers.find(isUnknown) ?? true);
}

/** One holds. */
export function some(answers: readonly Answer[]): Answer {
  return answers.includes(true) ? true : (answers.find(isUnknown) ?? false);
}

export const not = (answer: Answer): Answer => (isUnknown(answer) ? answer : !answer);

export const isUnknown = (answer: Answer): answer is Unknown => typeof answer !== 'boolean';
