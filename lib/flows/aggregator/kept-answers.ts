/** Requests that are read page by page at a time, and how long one may pause between two pages. */
const mostKept = 8;
const keptMs = 30_000;

/**
 * Answers to requests that are read page by page: the first page decides what is told, and the others are of the same answer, so that a bucket which ends
 * in between neither shifts nor doubles flows, and nothing is computed anew for each. `now` in milliseconds.
 */
export class KeptAnswers<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly answer: readonly T[]; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `request`: all that is asked but the page. `isLast` says whether nobody will ask for more of this answer. */
  answer(request: string, page: number, compute: () => readonly T[], isLast: (answer: readonly T[]) => boolean) {
    for (const [key, { until }] of this.#kept) if (until < this.#now()) this.#kept.delete(key);
    const answer = (page > 0 ? this.#kept.get(request)?.answer : undefined) ?? compute();
    this.#kept.delete(request);
    if (!isLast(answer)) {
      this.#kept.set(request, { answer, until: this.#now() + keptMs });
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    }
    return answer;
  }
}
