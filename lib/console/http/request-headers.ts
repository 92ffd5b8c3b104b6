import type { IncomingMessage } from 'node:http';

/**
 * The request headers that Next gets to see: what browsers and Next's own router send. A list of what is let in, not of what is kept out:
 * `Forwarded`, `X-Forwarded-*`, `X-Middleware-*`, `X-Matched-Path` and their like steer Next, and nobody but a proxy of ours, which there is
 * not, could have a reason to send them.
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
  // Between Next and itself: an action that another page has. All that it does is that no page is drawn with the answer.
  'x-action-forwarded',
]);

/** Takes everything else off the request. */
export function keepKnownHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) if (!known.has(name)) delete request.headers[name];
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => [name, one]),
  );
}
