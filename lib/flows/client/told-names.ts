import type { Kube } from '#lib/kube/index.ts';
import type { NamesTold } from '../query/named-hints.ts';
import { openFlowClient } from './flow-client.ts';

/** The names for which the aggregator has flows, of its last hour. Rejects as a FlowClient does. */
export async function toldNames(kube: Kube, signal: AbortSignal): Promise<NamesTold> {
  const client = await openFlowClient(kube, signal);
  const of = (about: keyof NamesTold) => client.hints(about, undefined, { signal });
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
