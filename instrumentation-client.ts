import { addressWithOpened } from '#components/frame/opened-in-address.ts';
import { tellAway, tellReading } from '#components/live/away.ts';
import { waitingFetch } from '#components/live/waiting-fetch.ts';

/**
 * Next runs this in the browser before any module of a page. Zod tries whether it may compile code as soon as an object schema is made; our policy
 * forbids that, the browser reports each try, and a report that means nothing would hide one that does. This is the place where zod keeps its
 * `config()`: calling it would have to happen before the first schema, wherever that is, and would load zod on pages that parse nothing.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

// Servers see no fragment: the page is asked for again with what it names open, and nothing of it moves.
const withOpened = addressWithOpened(location);
if (withOpened !== null) leaveFor(withOpened);

const { fetch } = window;
/** Before Next's router reads its first page. */
window.fetch = waitingFetch((input, init) => fetch.call(window, input, init), {
  isShown: (url) => withoutMark(new URL(url, location.href)) === withoutMark(new URL(location.href)),
  tell: tellAway,
  reading: tellReading,
});

/** What is left behind lives until the other page comes: a slow one would still scroll, come alive, and miss the rest of itself. */
function leaveFor(address: string): void {
  document.documentElement.style.visibility = 'hidden';
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, (event) => event.preventDefault());
  location.replace(address);
}

/** Next reads a page at its own address, with a mark in the query that keeps caches from taking the one for the other. */
function withoutMark({ pathname, searchParams }: URL): string {
  searchParams.delete('_rsc');
  return `${pathname}?${searchParams}`;
}
