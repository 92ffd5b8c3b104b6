import type { IncomingMessage } from 'node:http';

/**
 * The request headers that Next receives: those that browsers and Next's router send. An allow list, because `Forwarded`, `X-Forwarded-*`, `X-Middleware-*`,
 * `X-Matched-Path` and similar ones control Next. Only a proxy in front of the console would send them, and there is none.
 */
const known: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'if-modified-since',
  'if-none-match',
  'last-event-id',
  'next-action',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-router-state-tree',
  'next-url',
  'origin',
  'purpose',
  'range',
  'referer',
  'rsc',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-purpose',
  'user-agent',
  // Sent by Next to itself for an action of another page. Its only effect is that the answer contains no page.
  'x-action-forwarded',
]);

/** Removes all other headers from the request. */
export function keepKnownHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (!known.has(name)) delete request.headers[name];
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
}
