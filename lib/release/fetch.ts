import { ReleaseError } from './release-error.ts';

/** What a download needs of `fetch`, of whichever kind. */
export type Fetch = (
  address: string,
  options: { signal: AbortSignal; redirect: 'manual'; headers: Readonly<Record<string, string>> },
) => Promise<Answer>;

export type Answer = {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
};

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `fetch` by way of the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name (either case, the lower one first, as curl reads them). Loaded
 * when something is dialled and not before.
 */
export async function proxiedFetch(env: Env): Promise<{ fetch: Fetch; close: () => Promise<void> }> {
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const variable = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const dispatcher = agent(() => {
    return new EnvHttpProxyAgent({
      httpProxy: variable('HTTP_PROXY'),
      httpsProxy: variable('HTTPS_PROXY'),
      noProxy: variable('NO_PROXY'),
    });
  });
  return {
    fetch: (address, options) => fetch(address, { ...options, dispatcher }),
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
