/** Whether a condition holds, or why that is unknown. */
export type Answer = boolean | Unknown;
export type Unknown = { readonly unknown: string };

/** Whether all hold. One that does not hold decides, even if others are unknown. */
export function everyAnswer(answers: readonly Answer[]): Answer {
  return answers.includes(false) ? false : (answers.find(isUnknown) ?? true);
}

/** Whether at least one holds. */
export function some(answers: readonly Answer[]): Answer {
  return answers.includes(true) ? true : (answers.find(isUnknown) ?? false);
}

export const not = (answer: Answer): Answer => (isUnknown(answer) ? answer : !answer);

export const isUnknown = (answer: Answer): answer is Unknown => typeof answer !== 'boolean';
