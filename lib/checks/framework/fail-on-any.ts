import { counted } from '#lib/base/words.ts';
import type { Evidence, Subject } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { withDetails } from '../reading/subject-names.ts';
import { shareOf } from '../wording/sentences.ts';

/** The result of a rule for one thing. Null: it is fine; a string: what is wrong, as a phrase; `undecided`: why it is unknown. */
export type RuleResult = null | string | { undecided: string };

export type SubjectRule<T> = {
  all: readonly T[];
  subject(one: T, detail: string): Subject;
  evaluate(one: T): RuleResult;
  /** The sentence about all that fail. */
  because(failing: Subject[], total: number): string;
  /** `node`: for the sentence about those that are unknown. `plural`: if it is not made with an s. */
  noun: string;
  plural?: string;
  pass?: string;
  evidence?(one: T): Evidence[];
};

/** Failing things whose evidence is shown at the most; all are listed as subjects. */
const evidenceLimit = 50;

/** Evaluates a rule for each thing and lists all that fail. One failure is enough to fail, and one unknown is enough not to pass. */
export function failOnAny<T>({
  all,
  subject,
  evaluate,
  because,
  noun,
  plural = `${noun}s`,
  pass,
  evidence,
}: SubjectRule<T>): Result {
  const failing: { one: T; subject: Subject }[] = [];
  const undecided: Subject[] = [];
  for (const one of all) {
    const opinion = evaluate(one);
    if (opinion === null) continue;
    if (typeof opinion === 'string') failing.push({ one, subject: subject(one, opinion) });
    else undecided.push(subject(one, opinion.undecided));
  }
  if (failing.length > 0) {
    const subjects = failing.map((each) => each.subject);
    const rest =
      undecided.length > 0
        ? ` ${counted(undecided.length, `more ${noun}`, `more ${plural}`)} could not be judged.`
        : '';
    return {
      kind: 'fail',
      because: `${because(subjects, all.length)}${rest}`,
      subjects,
      ...(evidence ? { evidence: failing.slice(0, evidenceLimit).flatMap(({ one }) => evidence(one)) } : {}),
    };
  }
  if (undecided.length > 0) {
    return {
      kind: 'unknown',
      because: `${shareOf(undecided.length, all.length, noun, plural)} not verified: ${withDetails(undecided)}.`,
      subjects: undecided,
    };
  }
  return { kind: 'pass', ...(pass === undefined ? {} : { because: pass }) };
}
