/** The most requests whose answers are kept, and how long a client may pause between two pages. */
const mostAnswers = 8;
const keptMs = 30_000;

/**
 * Keeps answers to requests that are read page by page. All pages come from the answer to the first, so that a bucket that ends in between neither
 * shifts nor doubles flows, and nothing is computed again for each page. `now` in milliseconds.
 */
export class KeptAnswers<T> {
  readonly #now: () => number;
  readonly #kept = new Map<string, { readonly answer: readonly T[]; readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `request` identifies the request without its page. `isLast` tells whether the page was the last, so that the answer can be forgotten. */
  answer(request: string, page: number, compute: () => readonly T[], isLast: (answer: readonly T[]) => boolean) {
    for (const [key, { until }] of this.#kept) if (until < this.#now()) this.#kept.delete(key);
    const answer = (page > 0 ? this.#kept.get(request)?.answer : undefined) ?? compute();
    this.#kept.delete(request);
    if (!isLast(answer)) {
      this.#kept.set(request, { answer, until: this.#now() + keptMs });
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > mostAnswers && oldest !== undefined) this.#kept.delete(oldest);
    }
    return answer;
  }
}
