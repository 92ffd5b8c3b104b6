import { type Away, awayEvent, waitingFetch } from '#components/live/waiting-fetch.ts';

/**
 * Next runs this in the browser before any module of a page. Zod tries whether it may compile code as soon as an object schema is made; our policy
 * forbids that, the browser reports each try, and a report that means nothing would hide one that does. This is the place where zod keeps its
 * `config()`: calling it would have to happen before the first schema, wherever that is, and would load zod on pages that parse nothing.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const { fetch } = window;
/** Before Next's router reads its first page. */
window.fetch = waitingFetch((input, init) => fetch.call(window, input, init), {
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  tell: (waiting) => window.dispatchEvent(new CustomEvent<Away>(awayEvent, { detail: { waiting } })),
});
