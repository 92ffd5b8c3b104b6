import { backOffMs } from '#lib/base/async/back-off.ts';
import type { RetriedPages } from './away.ts';

/** `least` 1: only one browser retries, so its pauses need no jitter. */
const pace = { firstMs: 500, mostMs: 3_000, least: 1 } as const;
/** How long an opened page is retried, and the time limit of each request. */
const endMs = 30_000;

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;
type Wait = { isOpening: boolean; response: Promise<Response> };

/**
 * A `fetch` that retries reads of pages while the console does not answer. If such a request failed, Next's router would load the URL itself and end on the
 * browser's error page, losing typed text. A page that is being opened fails after `endMs`; the shown page (`isShown`) is retried until the console is back.
 * Requests that change something fail at once, because it is unknown whether they were received. Requests for the same URL share their retries.
 */
export function waitingFetch(
  fetch: Fetch,
  {
    isShown,
    tell,
    reading,
  }: {
    isShown: (url: string) => boolean;
    tell: (away: RetriedPages) => void;
    /** Called with each page that is requested for the first time. */
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
        // Without the first caller's signal, so that its abort does not affect others.
        const ask = () => fetch(input, { ...init, signal: null });
        wait = waits.get(url) ?? begin(url, { isOpening, response: askAgain(ask, until, error) });
      }
    }
    return (await wait.response).clone();
  };
}

/** Retries until there is an answer; throws the last error at `until` (ms of `Date.now()`). */
async function askAgain(ask: () => Promise<Response>, until: number, failed: unknown): Promise<Response> {
  let error = failed;
  for (let failures = 0; Date.now() < until; failures++) {
    const ms = Math.min(backOffMs(failures, pace, Math.random), until - Date.now());
    await new Promise((resolve) => setTimeout(resolve, ms));
    try {
      return await within(Math.min(endMs, Math.max(until - Date.now(), pace.mostMs)), ask());
    } catch (again) {
      error = again;
    }
  }
  throw error;
}

/** Throws without an answer after `ms`. The answer's body may take longer. */
function within(ms: number, response: Promise<Response>): Promise<Response> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TypeError(`Nothing answered in ${ms} ms`)), ms);
    response.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Whether Next's router reads a page with this request. */
function isPage(init: RequestInit | undefined): boolean {
  const headers = new Headers(init?.headers);
  return (init?.method ?? 'GET') === 'GET' && headers.has('rsc') && !headers.has('next-router-prefetch');
}
