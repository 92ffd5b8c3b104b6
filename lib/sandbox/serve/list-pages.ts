import { randomUUID } from 'node:crypto';
import { KubeError, type Page } from '#lib/kube/index.ts';

/** Lists that are read page by page at one time; whoever comes back to an older one starts over. */
const mostLists = 64;

type Answered<T> = { page: Page<T>; next: string | null };

/** Lists that somebody reads page by page: an answer's `continue` token leads to the next page, as often as it is asked for. */
export class ListPages {
  readonly #next = new Map<string, () => Promise<Answered<unknown>>>();

  async first<T>(pages: AsyncIterable<Page<T>>): Promise<Answered<T>> {
    return this.#read(pages[Symbol.asyncIterator]());
  }

  /** Throws `expired` for a token that is not known any more. */
  async after(token: string): Promise<Answered<unknown>> {
    const next = this.#next.get(token);
    if (next) return next();
    throw new KubeError('expired', 'The provided continue parameter is too old to display a consistent list result.');
  }

  async #read<T>(pages: AsyncIterator<Page<T>>): Promise<Answered<T>> {
    const { value, done } = await pages.next();
    const page: Page<T> = done ? { items: [], resourceVersion: '', remaining: null } : value;
    if (page.remaining === null) return { page, next: null };
    const token = randomUUID();
    let following: Promise<Answered<T>> | undefined;
    this.#next.set(token, () => {
      following ??= this.#read(pages);
      return following;
    });
    const [oldest] = this.#next.keys();
    if (this.#next.size > mostLists && oldest !== undefined) this.#next.delete(oldest);
    return { page, next: token };
  }
}
