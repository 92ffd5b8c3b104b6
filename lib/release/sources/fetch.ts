import { ReleaseError } from '../release-error.ts';

/** One request, as a download needs it: its answer as it came, neither redirected nor unpacked. */
export type Fetch = (
  address: string,
  options: { signal: AbortSignal; headers: Readonly<Record<string, string>> },
) => Promise<Answer>;

export type Answer = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Requests by way of the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name (either case, the lower one first, as curl reads them). Loaded
 * when something is dialled and not before. Never `fetch`: it unpacks whatever a server says that it sent compressed, by decoders of Node that have
 * had holes (CVE-2026-111497).
 */
export async function proxiedFetch(env: Env): Promise<{ fetch: Fetch; close: () => Promise<void> }> {
  const { EnvHttpProxyAgent, request } = await import('undici');
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const dispatcher = agent(() => {
    return new EnvHttpProxyAgent({
      httpProxy: variable('HTTP_PROXY'),
      httpsProxy: variable('HTTPS_PROXY'),
      noProxy: variable('NO_PROXY'),
      // Nobody needs it for a handful of files, and it has had holes as well (CVE-2026-56848).
      allowH2: false,
      requestTls: { allowH2: false },
      proxyTls: { allowH2: false },
    });
  });
  return {
    fetch: async (address, options) => {
      const { statusCode, headers, body } = await request(address, { ...options, dispatcher });
      return {
        status: statusCode,
        headers: { get: (name) => [headers[name]].flat().join(', ') || null },
        body: Object.assign(body, { cancel: async () => void body.on('error', () => undefined).destroy() }),
      };
    },
    close: () => dispatcher.destroy(),
  };
}

/** The value of such a variable may hold a password: it is never repeated. */
function agent<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw new ReleaseError(
      'release.unreachable',
      'HTTPS_PROXY or HTTP_PROXY is no address of a proxy; one is written as http://proxy.example:3128.',
    );
  }
}
