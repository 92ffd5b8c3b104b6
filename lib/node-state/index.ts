export { writesInfo } from './agent-log.ts';
export {
  type AgentPod,
  agentPod,
  type ClusterSeen,
  type LogReading,
  type NodeObservation,
  newestAgent,
  observe,
} from './observation.ts';
export { agentsAtOnce, readAgent, toProve, toShow } from './read-agent.ts';
export { readMaps } from './read-maps.ts';
export { readPrograms } from './read-programs.ts';
export { type Plane, type SeenNode, seenNode } from './seen-node.ts';
export { isSwitching, notReadYet, type Verdict, verdict } from './verdict.ts';
