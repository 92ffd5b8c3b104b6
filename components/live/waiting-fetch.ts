/** Told on `window` while a page waits to be opened for a console that is away, and when it was opened. */
export const awayEvent = 'signalbox:away';
export type Away = { waiting: number };

const firstMs = 500;
const longestMs = 3_000;

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` that waits for a console that is away instead of failing, where a page is only read: Next's router leaves for the address itself when its
 * request fails, which ends on the error page of the browser, with what was typed lost. Anything that asks for a change fails as before: nobody
 * knows whether it was heard. `tell`: how many pages wait.
 */
export function waitingFetch(
  fetch: Fetch,
  { sleep, tell }: { sleep: (ms: number) => Promise<void>; tell: (waiting: number) => void },
): Fetch {
  let waiting = 0;
  return async (input, init) => {
    let isWaiting = false;
    let nextMs = firstMs;
    try {
      for (;;) {
        try {
          return await fetch(input, init);
        } catch (error) {
          if (!isPage(init) || init?.signal?.aborted) throw error;
          if (!isWaiting) tell(++waiting);
          isWaiting = true;
          await sleep(nextMs);
          nextMs = Math.min(nextMs * 2, longestMs);
        }
      }
    } finally {
      if (isWaiting) tell(--waiting);
    }
  };
}

/** What Next's router reads a page with. */
function isPage(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return (init?.method ?? 'GET') === 'GET' && headers.has('rsc') && !headers.has('next-router-prefetch');
}
