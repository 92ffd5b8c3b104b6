/**
 * Fragments that open something on a page, each with a query parameter for the server, which gets no fragment: something that opens after the first paint would move
 * the page. `id`: the element's id on the page.
 */
const openable = [
  { name: 'step', page: /^\/clusters\/[^/]+\/runs\/[^/]+$/, fragment: /^#step-([1-9]\d{0,3})$/ },
  {
    name: 'finding',
    page: /^\/clusters\/[^/]+\/(?:findings|runs\/[^/]+\/compatibility)$/,
    fragment: /^#finding-([\w.-]{1,80})$/,
  },
  { name: 'record', page: /^\/reference\/[^/]+$/, fragment: /^#([\w.-]{1,80})$/ },
] as const;

/** The URL of an opened step, relative to the run's page. */
export const stepAddress = (seq: number) => `?step=${seq}#step-${seq}`;

/** The step in a URL's query. */
export function stepInQuery(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get('step') ?? 0);
  return Number.isInteger(seq) && seq > 0 ? seq : null;
}

/** The URL with the query parameter, if only the fragment says what is open; null: no redirect is needed. Pure. */
export function addressWithOpened({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null {
  for (const { name, page, fragment } of openable) {
    const id = page.test(pathname) ? fragment.exec(hash)?.[1] : undefined;
    const query = new URLSearchParams(search);
    if (id === undefined || query.get(name) === id) continue;
    query.set(name, id);
    return `?${query}${hash}`;
  }
  return null;
}
