import dns from 'node:dns';

/** `name` is 127.0.0.1 for this process, as RFC 6761 §6.3 asks of names under `localhost`; the resolvers of most systems do not know that. */
export function resolveToLoopback(name: string): void {
  const { lookup } = dns;
  const asked = (hostname: string, ...rest: unknown[]) =>
    Reflect.apply(lookup, dns, [hostname === name ? '127.0.0.1' : hostname, ...rest]);
  Object.assign(dns, { lookup: Object.assign(asked, lookup) });
}
