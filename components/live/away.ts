/** Told on `window` when a page begins or ends to wait for a console that is away. */
export const awayEvent = 'signalbox:away';

/** `waiting`: all pages that are asked for again and again. `opening`: those among them that are not the one that is shown. */
export type Away = { waiting: number; opening: number };

/** What runs before the modules of a page, and these, may each have a copy of this module: what they share is the window's. */
const shared = globalThis as { signalboxAway?: Away };

export function tellAway(away: Away): void {
  shared.signalboxAway = away;
  if (typeof window !== 'undefined') window.dispatchEvent(new CustomEvent<Away>(awayEvent, { detail: away }));
}

/** Whether a page waits for the console. Next keeps an action that is called meanwhile, and sends it when the page is there. */
export function isConsoleAway(): boolean {
  return (shared.signalboxAway?.waiting ?? 0) > 0;
}
