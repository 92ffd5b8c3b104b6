import type { Away } from './away.ts';

const firstMs = 500;
const longestMs = 3_000;
/** How long a page that somebody opens is waited for, and how long any one request may hang. */
const endMs = 30_000;

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
type Wait = { isOpening: boolean; response: Promise<Response> };

/**
 * `fetch` that waits for a console that is away instead of failing, where a page is only read: Next's router leaves for the address itself when its
 * request fails, which ends on the error page of the browser, with what was typed lost. A page that somebody opens fails after `endMs`. The page that
 * is shown (`isShown`) is waited for until the console is back: nobody asked to leave it. Anything that asks for a change fails as before: nobody
 * knows whether it was heard. What waits for one address waits once.
 */
export function waitingFetch(
  fetch: Fetch,
  {
    isShown,
    tell,
    reading,
  }: {
    isShown: (url: string) => boolean;
    tell: (away: Away) => void;
    /** Told of each page that is asked for the first time. */
    reading: (page: Promise<Response>) => void;
  },
): Fetch {
  const waits = new Map<string, Wait>();
  const tellAll = () =>
    tell({ waiting: waits.size, opening: [...waits.values()].filter((wait) => wait.isOpening).length });

  const begin = (url: string, wait: Wait): Wait => {
    const end = () => {
      waits.delete(url);
      tellAll();
    };
    waits.set(url, wait);
    tellAll();
    wait.response.then(end, end);
    return wait;
  };
  return async (input, init) => {
    if (!isPage(init)) return fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    const begunAt = Date.now();
    let wait = waits.get(url);
    if (wait === undefined) {
      try {
        const page = within(endMs, fetch(input, init));
        reading(page);
        return await page;
      } catch (error) {
        if (init?.signal?.aborted) throw error;
        const isOpening = !isShown(url);
        const until = isOpening ? begunAt + endMs : Number.POSITIVE_INFINITY;
        // Whoever joins must not lose the page with the first who leaves.
        const ask = () => fetch(input, { ...init, signal: null });
        wait = waits.get(url) ?? begin(url, { isOpening, response: askAgain(ask, until, error) });
      }
    }
    return (await wait.response).clone();
  };
}

/** Asks until something answers, or throws the last error at `until` (milliseconds of `Date.now()`). */
async function askAgain(ask: () => Promise<Response>, until: number, failed: unknown): Promise<Response> {
  let error = failed;
  for (let nextMs = firstMs; Date.now() < until; nextMs = Math.min(nextMs * 2, longestMs)) {
    const ms = Math.min(nextMs, until - Date.now());
    await new Promise((resolve) => setTimeout(resolve, ms));
    try {
      return await within(Math.min(endMs, Math.max(until - Date.now(), longestMs)), ask());
    } catch (again) {
      error = again;
    }
  }
  throw error;
}

/** Throws when nothing has answered after `ms`. The answer's body may take longer. */
function within(ms: number, response: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError(`Nothing answered in ${ms} ms`)), ms);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What Next's router reads a page with. */
function isPage(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return (init?.method ?? 'GET') === 'GET' && headers.has('rsc') && !headers.has('next-router-prefetch');
}
