import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { orAborted } from '#lib/base/async/or-aborted.ts';
import type { ResolvedName } from '../../port.ts';
import { codeOf } from '../secret.ts';

/** How this machine resolves names: with its hosts file, and by DNS alone. Tests pass their own. */
export type NameServices = {
  /** `getaddrinfo`: hosts file, mDNS and DNS, by the machine's configuration. */
  lookup(name: string): Promise<string[]>;
  /** DNS servers as `address` or `address:port`. Default: those of the machine. */
  servers?: readonly string[];
};

export const thisMachine: NameServices = {
  lookup: async (name) => (await systemLookup(name, { all: true })).map(({ address }) => address),
};

/** More CNAMEs than this are taken for a loop. */
const mostAliases = 8;
/** Most addresses that are dialled; no API server has more. */
const mostAddresses = 16;

/**
 * The addresses that a program on this machine would dial, and what DNS says: records with their time to live, CNAMEs, or that the name does not exist. A
 * name from the machine's hosts file cannot be the endpoint, because pods do not read that file (pain A4).
 */
export async function resolveName(host: string, signal: AbortSignal, services: NameServices): Promise<ResolvedName> {
  if (isIP(host) !== 0) return { resolved: true, addresses: [host], by: 'address', records: [], aliases: [] };
  const [looked, dns] = await Promise.all([
    orAborted(services.lookup(host), signal).then(
      (addresses) => ({ addresses: [...new Set(addresses)].slice(0, mostAddresses) }),
      (error: unknown) => ({ code: signal.aborted ? 'ABORTED' : codeOf(error) }),
    ),
    askDns(host, signal, services.servers),
  ]);
  if ('code' in looked) return { resolved: false, because: whyNot(looked.code) };
  const { records, aliases, answer } = dns;
  const by = answer === 'known' ? 'dns' : answer === 'no-such-name' ? 'machine' : 'undecided';
  return { resolved: true, addresses: looked.addresses, by, records, aliases };
}

type Asked = {
  answer: 'known' | 'no-such-name' | 'no-answer';
  records: { type: 'A' | 'AAAA'; address: string; ttlSeconds: number }[];
  aliases: string[];
};

/** https://nodejs.org/api/dns.html#error-codes: the name does not exist, or has no record of the kind. */
const noSuch: ReadonlySet<string | null> = new Set(['ENOTFOUND', 'ENODATA']);

async function askDns(name: string, signal: AbortSignal, servers: readonly string[] | undefined): Promise<Asked> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const [four, six, aliases] = await Promise.all([
      answered(resolver.resolve4(name, { ttl: true })),
      answered(resolver.resolve6(name, { ttl: true })),
      aliasesOf(name, resolver),
    ]);
    const records = [
      ...four.value.map(({ address, ttl }) => ({ type: 'A' as const, address, ttlSeconds: ttl })),
      ...six.value.map(({ address, ttl }) => ({ type: 'AAAA' as const, address, ttlSeconds: ttl })),
    ];
    const isUnknown = [four.code, six.code].every((code) => noSuch.has(code));
    return { answer: records.length > 0 ? 'known' : isUnknown ? 'no-such-name' : 'no-answer', records, aliases };
  } finally {
    signal.removeEventListener('abort', cancel);
    resolver.cancel();
  }
}

async function answered<T>(query: Promise<T[]>): Promise<{ value: T[]; code: string | null }> {
  try {
    return { value: (await query).slice(0, mostAddresses), code: null };
  } catch (error) {
    return { value: [], code: codeOf(error) };
  }
}

async function aliasesOf(name: string, resolver: Resolver): Promise<string[]> {
  const aliases: string[] = [];
  for (let at = name; aliases.length < mostAliases; ) {
    const { value } = await answered(resolver.resolveCname(at));
    const [next] = value;
    if (next === undefined || next === name || aliases.includes(next)) break;
    aliases.push(next);
    at = next;
  }
  return aliases;
}

function whyNot(code: string | null): string {
  if (code === 'ENOTFOUND') return 'no such name';
  return code === 'ABORTED'
    ? 'its name servers did not answer in time'
    : `resolving it failed (${code ?? 'no reason given'})`;
}
