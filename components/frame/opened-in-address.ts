/**
 * What a fragment opens on a page, and the name in the query by which the server is told of it: it sees no fragment, and what is opened after the first
 * paint pushes away what is below. `id`: as the page calls the thing.
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

/** Where an opened step of a run stands, relative to the run's page. */
export const stepAddress = (seq: number) => `?step=${seq}#step-${seq}`;

/** The step that an address names to the server. */
export function stepInQuery(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get('step') ?? 0);
  return Number.isInteger(seq) && seq > 0 ? seq : null;
}

/** Where to go instead from a page of which only the fragment says what is open; null: the page is the right one. Pure. */
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
