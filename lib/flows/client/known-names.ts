import type { Kube } from '#lib/kube/index.ts';
import type { KnownNames } from '../query/named-hints.ts';
import { openFlowClient } from './flow-client.ts';

/** The names for which the aggregator has flows, of its last hour. Rejects as a FlowClient does. */
export async function knownNames(kube: Kube, signal: AbortSignal): Promise<KnownNames> {
  const client = await openFlowClient(kube, signal);
  const of = (about: keyof KnownNames) => client.hints(about, undefined, { signal });
  try {
    const [sourceName, destName, sourceNamespace, destNamespace, policyTier, policyName] = await Promise.all([
      of('sourceName'),
      of('destName'),
      of('sourceNamespace'),
      of('destNamespace'),
      of('policyTier'),
      of('policyName'),
    ]);
    return { sourceName, destName, sourceNamespace, destNamespace, policyTier, policyName };
  } finally {
    await client.close();
  }
}
