/** Dispatched on `window` when pages start or stop waiting for a console that does not answer. */
export const awayEvent = 'signalbox:away';

/** `waiting`: number of pages that are being retried. `opening`: those of them that are not the shown page. */
export type RetriedPages = { waiting: number; opening: number };

/** Shared through the window, because the script before a page's modules and these modules may have separate copies of this module. */
const shared = globalThis as { signalboxAway?: RetriedPages; signalboxReading?: Set<Promise<unknown>> };

/** How long an action waits for a page that is being loaded. */
const patienceMs = 10_000;

export function tellAway(away: RetriedPages): void {
  shared.signalboxAway = away;
  if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent<RetriedPages>(awayEvent, { detail: away }));
}

/** Remembers a page that is being loaded until it has arrived or failed. */
export function tellReading(page: Promise<unknown>): void {
  shared.signalboxReading ??= new Set();
  const reading = shared.signalboxReading;
  reading.add(page);
  const end = () => void reading.delete(page);
  page.then(end, end);
}

/**
 * Whether an action that is called now is sent at once. Next queues actions while a page is being loaded and sends them afterwards, possibly much later. While a
 * page is being loaded, returns a promise, which resolves to false if the page has not arrived after `patienceMs`.
 */
export function isSentAtOnce(): boolean | Promise<boolean> {
  if ((shared.signalboxAway?.waiting ?? 0) > 0) return false;
  return isReading() ? pagesHaveCome(Date.now() + patienceMs) : true;
}

async function pagesHaveCome(until: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, until - Date.now());
  });
  while (isReading() && Date.now() < until)
    await Promise.race([late, Promise.allSettled(shared.signalboxReading ?? [])]);
  clearTimeout(timer);
  return isReading() ? false : isSentAtOnce();
}

function isReading(): boolean {
  return (shared.signalboxReading?.size ?? 0) > 0;
}
