import { counted } from '#lib/base/words.ts';
import type { Evidence, Subject } from '#lib/facts/index.ts';
import type { Result } from '../check.ts';
import { withDetails } from '../reading/subject-names.ts';
import { shareOf } from '../wording/sentences.ts';

/** What a rule says of one thing: fine, a phrase that says what is wrong, or that it cannot be told. */
export type Opinion = null | string | { undecided: string };

export type SubjectRule<T> = {
  all: readonly T[];
  subject(one: T, detail: string): Subject;
  evaluate(one: T): Opinion;
  /** The whole sentence, from all that fail. */
  because(failing: Subject[], total: number): string;
  /** `node`: for the sentence when some cannot be told; `plural` where it is not made with an s. */
  noun: string;
  plural?: string;
  pass?: string;
  evidence?(one: T): Evidence[];
};

/** Evidence of so many failing things is shown; all are listed as subjects. */
const evidenceLimit = 50;

/** Every one is judged and every one that fails is listed; one is enough to fail, and one that cannot be told is enough not to pass. */
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
