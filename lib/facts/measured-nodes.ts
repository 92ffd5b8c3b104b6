import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Choices, namedEndpoint } from '#lib/spec/index.ts';
import type { Facts } from './schema.ts';

/** Results of tests on the nodes, for the address that the checks look at; null: there are none. Rejects with a KubeError `aborted` only. */
export async function measureNodes(
  kube: Kube,
  facts: Facts,
  choices: Choices | null,
  signal: AbortSignal | undefined,
): Promise<Facts['measured']> {
  if (!kube.measureNodes) return null;
  const named = namedEndpoint(facts.endpoint, choices);
  const endpoint = named && { host: named.host, port: named.port };
  try {
    const measured = await kube.measureNodes(endpoint, signal === undefined ? {} : { signal });
    return { endpoint, ...measured };
  } catch (error) {
    if (!isKubeError(error) || error.code === 'aborted') throw error;
    return null;
  }
}
