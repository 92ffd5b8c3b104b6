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
      `${source.name} holds no Node ${JSON.stringify(nodeName)}: --node-name takes this node's name in the API, which is often a longer one than the host's.`,
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
      `${because}, and this data plane does not enforce policy yet: packets that it redirects would pass it by. --without-policy=I-understand goes on without.`,
    );
}
