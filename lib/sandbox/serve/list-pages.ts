import { randomUUID } from 'node:crypto';
import { KubeError, type Page } from '#lib/kube/index.ts';

/** The most lists that are kept for reading page by page. Clients of older ones must start again. */
const mostLists = 64;

type Answered<T> = { page: Page<T>; next: string | null };
type List = { readonly of: string; readonly next: Map<string, () => Promise<Answered<unknown>>> };

/** Lists that are read page by page. An answer's `continue` token leads to the next page, however often it is used. `of` identifies the list. */
export class ListPages {
  /** Oldest first. */
  readonly #lists = new Set<List>();

  async first<T>(of: string, pages: AsyncIterable<Page<T>>): Promise<Answered<T>> {
    return this.#read({ of, next: new Map() }, pages[Symbol.asyncIterator]());
  }

  /** Throws `expired` for an unknown token, `invalid` for one of another list. */
  async after(of: string, token: string): Promise<Answered<unknown>> {
    const list = [...this.#lists].find(({ next }) => next.has(token));
    if (list && list.of !== of)
      throw new KubeError('invalid', 'The provided continue parameter belongs to another list.', { status: 400 });
    const next = list?.next.get(token);
    if (next) return next();
    throw new KubeError('expired', 'The provided continue parameter is too old to display a consistent list result.');
  }

  async #read<T>(list: List, pages: AsyncIterator<Page<T>>): Promise<Answered<T>> {
    const { value, done } = await pages.next();
    const page: Page<T> = done ? { items: [], resourceVersion: '', remaining: null } : value;
    if (page.remaining === null) return { page, next: null };
    const token = randomUUID();
    let following: Promise<Answered<T>> | undefined;
    list.next.set(token, () => {
      following ??= this.#read(list, pages);
      return following;
    });
    this.#lists.add(list);
    const [oldest] = this.#lists;
    if (this.#lists.size > mostLists && oldest !== undefined) this.#lists.delete(oldest);
    return { page, next: token };
  }
}
