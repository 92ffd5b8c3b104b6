import { ReleaseError } from '../release-error.ts';

/** Sends one request. The answer is neither redirected nor decompressed. */
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
 * Requests through the proxy of HTTPS_PROXY, HTTP_PROXY and NO_PROXY (lower case first, as in curl). Loaded on first use. Not `fetch`, which decompresses any
 * answer with Node's decoders, which have had vulnerabilities (CVE-2026-111497).
 */
export async function proxiedFetch(env: Env): Promise<{ fetch: Fetch; close: () => Promise<void> }> {
  const { EnvHttpProxyAgent, request } = await import('undici');
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const dispatcher = agent(() => {
    return new EnvHttpProxyAgent({
      httpProxy: variable('HTTP_PROXY'),
      httpsProxy: variable('HTTPS_PROXY'),
      noProxy: variable('NO_PROXY'),
      // Not needed for a few files, and it has had vulnerabilities too (CVE-2026-56848).
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

/** Hides the variable's value in errors, because it may have a password. */
function agent<T>(make: () => T): T {
  try {
    return make();
  } catch {
    throw new ReleaseError(
      'release.unreachable',
      'HTTPS_PROXY or HTTP_PROXY is not the address of a proxy. Write one such as http://proxy.example:3128.',
    );
  }
}
