const named = /^#step-(\d{1,4})$/;

/**
 * Where an opened step stands: in the query too, which the server sees, so that the page comes with the step open and nothing moves. Relative to the
 * page of the run.
 */
export const stepAddress = (seq: number) => `?step=${seq}#step-${seq}`;

/** The step that an address names to the server. */
export function stepInQuery(search: string): number | null {
  const seq = Number(new URLSearchParams(search).get('step') ?? 0);
  return Number.isInteger(seq) && seq > 0 ? seq : null;
}

/** Where to go instead from the page of a run whose step only the fragment names; null: the page is the right one. Pure. */
export function addressWithStep({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | null {
  const seq = Number(named.exec(hash)?.[1] ?? 0);
  return seq > 0 && search === '' && /^\/clusters\/[^/]+\/runs\/[^/]+$/.test(pathname) ? stepAddress(seq) : null;
}
