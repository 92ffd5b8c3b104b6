import dns from 'node:dns';

/** Makes this process resolve `name` to 127.0.0.1, as RFC 6761 §6.3 demands for names under `localhost`; the resolvers of most systems do not. */
export function resolveToLoopback(name: string): void {
  const { lookup } = dns;
  const lookupHere = (hostname: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [hostname === name ? '127.0.0.1' : hostname, ...rest]);
  Object.assign(dns, { lookup: Object.assign(lookupHere, lookup) });
}
