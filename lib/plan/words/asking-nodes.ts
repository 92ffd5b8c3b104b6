import { counted, thousands } from '#lib/base/words.ts';
import { mostAskingNodes } from '#lib/spec/index.ts';
import type { AgentRollout } from '../agent-rollout.ts';

/** From where a run that watches Services asks them, after *from*; of many nodes only a sample asks (`servicePace`). */
export function askingNodes(nodes: AgentRollout['nodes']): string {
  if (nodes === null) return `every node, or from a sample of ${mostAskingNodes} if there are more`;
  if (nodes > mostAskingNodes) return `${thousands(mostAskingNodes)} of ${counted(nodes, 'node')}`;
  return nodes === 1 ? 'the one node' : 'every node';
}
