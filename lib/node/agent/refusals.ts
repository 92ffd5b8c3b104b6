import type { NodeSource } from '../source/source.ts';
import type { WithoutPolicy } from './state/agent-state.ts';
import type { SourceState } from './state/source-state.ts';

/** The agent refuses to start; the message says why. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused';
}

/** With a wrong node name the agent would treat none of the node's pods as local. */
export function refuseAsStranger(
  nodeName: string,
  source: Pick<NodeSource, 'name'>,
  seen: Pick<SourceState, 'nodes'>,
): void {
  if (!seen.nodes.has(nodeName))
    throw new AgentRefused(
      `${source.name} has no Node ${JSON.stringify(nodeName)}. Give this node's name in the API with --node-name: it is often longer than the host name.`,
    );
}

/** `foreignRules`: as in AgentOptions. */
export async function refuseBesidePolicy(
  withoutPolicy: WithoutPolicy,
  foreignRules: () => Promise<string | null>,
  seen: Pick<SourceState, 'policyRefusal'>,
): Promise<void> {
  if (withoutPolicy === 'understood') return;
  const because = seen.policyRefusal() ?? (await foreignRules());
  if (because)
    throw new AgentRefused(
      `${because}. This data plane does not enforce network policy: what it redirects would bypass the policies. To start nevertheless, add --without-policy=I-understand.`,
    );
}
