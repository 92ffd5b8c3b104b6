/** Told on `window` when a page begins or ends to wait for a console that is away. */
export const awayEvent = 'signalbox:away';

/** `waiting`: all pages that are asked for again and again. `opening`: those among them that are not the one that is shown. */
export type Away = { waiting: number; opening: number };

/** What runs before the modules of a page, and these, may each have a copy of this module: what they share is the window's. */
const shared = globalThis as { signalboxAway?: Away; signalboxReading?: Set<Promise<unknown>> };

/** How long a press waits for a page that is still on its way. */
const patienceMs = 10_000;

export function tellAway(away: Away): void {
  shared.signalboxAway = away;
  if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent<Away>(awayEvent, { detail: away }));
}

/** Remembers a page that is being read until it has come or failed. */
export function tellReading(page: Promise<unknown>): void {
  shared.signalboxReading ??= new Set();
  const reading = shared.signalboxReading;
  reading.add(page);
  const end = () => void reading.delete(page);
  page.then(end, end);
}

/**
 * Whether an action that is called now is sent at once. Next keeps one that is called while a page is on its way, and sends it when that is there, which
 * may be when nobody looks any more. A promise while a page is on its way: false when it has not come after `patienceMs`.
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
