import { join } from 'node:path';
import { canary } from './a-door.ts';
import type { Access } from './door-oracle.ts';
import type { OwnAddress } from './door-tables.ts';
import { bytesOf, type RawRequest } from './raw-request.ts';
import type { Answer, RawReply } from './wire.ts';

const root = join(import.meta.dirname, '../../..');

/** Statuses of a refused request. 404 and 409 are not among them, because they show that the request was admitted. */
const turnedAway: ReadonlySet<number> = new Set([400, 401, 403, 405, 408, 411, 413, 414, 417, 421, 426, 431, 501, 505]);
const publicStatuses: ReadonlySet<number> = new Set([200, 206, 304, 307, 404, 416]);
const keyStatuses: ReadonlySet<number> = new Set([400, 403, 411, 413, 429]);

/** Headers of every response, to any request. */
const headersOfAll: Readonly<Record<string, RegExp>> = {
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'/,
};
const headersOfNone = ['server', 'x-powered-by', 'strict-transport-security', 'x-injected', 'x-nextjs-cache'];

/** Patterns that reveal something about the machine: stacks, paths, versions. */
const telltales: readonly RegExp[] = [
  /\bat [\w.<> ]+ \((?:file:|node:|\/)[^)]*:\d+:\d+\)/,
  /node:internal/,
  /node_modules/,
  new RegExp(root.replaceAll(/[^\w]/g, '\\$&')),
  /signalbox-hostile-/,
  /\/root\/|\/home\/\w+\//,
  new RegExp(`\\b${process.versions.node.replaceAll('.', '\\.')}\\b`),
  /"next":\s*"\d+\.\d+/,
];

/** The faults of an answer in words; empty if it is as it should be. */
export function faultsOf(request: RawRequest, own: OwnAddress, due: Access, { answers, end }: RawReply): string[] {
  const faults: string[] = [];
  if (end === 'silent') faults.push('no answer in time');
  // The console's host name cannot be guessed, and must not be in the answer to a request that does not contain it.
  const says = `${bytesOf(request)}`.toLowerCase().includes(own.name);
  if (!says && own.name.endsWith('.localhost') && JSON.stringify(answers).includes(own.name))
    faults.push('the console told its name');
  for (const answer of answers) faults.push(...ofAnswer(request, due, answer));
  if (answers.length === 0 && (due === 'public' || due === 'owner')) faults.push('no answer');
  return faults;
}

function ofAnswer(request: RawRequest, due: Access, answer: Answer): string[] {
  return [...ofStatus(request, due, answer), ...ofHeaders(request, answer), ...ofBody(due, answer)];
}

function ofStatus({ method }: RawRequest, due: Access, { status, headers }: Answer): string[] {
  if (status >= 500 && !turnedAway.has(status)) return [`status ${status}`];
  if (due === 'owner') return [];
  if ('set-cookie' in headers) return ['a cookie was set'];
  if (due === 'public') return publicStatuses.has(status) ? [] : [`public, and answered ${status}`];
  if (due === 'key') return keyStatuses.has(status) ? [] : [`a wrong key, and answered ${status}`];
  const isLed = status === 303 && /^\/sign-in(?:\?to=|$)/.test(headers.location ?? '') && /^(?:GET|HEAD)$/.test(method);
  return turnedAway.has(status) || isLed ? [] : [`let in: ${status} ${headers.location ?? ''}`];
}

function ofHeaders({ target }: RawRequest, { headers }: Answer): string[] {
  const missing = Object.entries(headersOfAll).flatMap(([name, form]) =>
    form.test(headers[name] ?? '') ? [] : [`${name}: ${headers[name] ?? 'missing'}`],
  );
  const extra = Object.keys(headers).filter(
    (name) => headersOfNone.includes(name) || name.startsWith('access-control-allow'),
  );
  const isKept = target.startsWith('/_next/static/') || (headers['content-type'] ?? '').startsWith('text/event-stream');
  const cached =
    isKept || /no-store/.test(headers['cache-control'] ?? '') ? [] : [`cache-control: ${headers['cache-control']}`];
  return [...missing, ...extra.map((name) => `${name} is sent`), ...cached];
}

function ofBody(due: Access, { headers, body }: Answer): string[] {
  const leaked = due !== 'owner' && body.includes(canary) ? ['what only the owner may read'] : [];
  // Our scripts are public, and name their version of React.
  const isScript = /javascript|css|font|svg/.test(headers['content-type'] ?? '');
  const words = isScript ? [] : telltales.filter((one) => one.test(body)).map((one) => `the body tells ${one}`);
  return [...leaked, ...words];
}
