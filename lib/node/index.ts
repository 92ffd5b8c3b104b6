export type { Packets } from './agent/agent-options.ts';
export { calicoRulesOfHost } from './agent/foreign-rules.ts';
export { handBack } from './agent/hand-back.ts';
export { applyHostRules, removeHostRules } from './agent/host-rules.ts';
export { removeKubeProxyRules } from './agent/kube-proxy-rules.ts';
export { leaveNode, pinsOf } from './agent/leave-node.ts';
export { AgentRefused } from './agent/refusals.ts';
export { runAgent } from './agent/run-agent.ts';
export {
  type ShownFlow,
  type ShownRoute,
  type ShownService,
  shownFlows,
  shownRoutes,
  shownServices,
} from './agent/shown-maps.ts';
export {
  areSocketsAttached,
  attachInterface,
  attachSockets,
  BpfError,
  type DataPlane,
  detachInterface,
  holdPins,
  isInterfaceAttached,
  loadDataPlane,
  openPinnedMaps,
  requireBpfFileSystem,
} from './bpf/index.ts';
export { neighbourAsker } from './host/ask-for-neighbours.ts';
export type { LinkChoice } from './host/choose-links.ts';
export { handToHost, type TranslatedConnection } from './host/host-connections.ts';
export { knownNeighbours } from './host/known-neighbours.ts';
export { PacketDevices } from './host/packet-devices.ts';
export { nodeAddresses } from './services/node-view.ts';
export { Present } from './services/present.ts';
export { ServiceTable } from './services/service-table.ts';
export { folderSource } from './source/folder-source.ts';
export { liveSource } from './source/live-source.ts';
export type { NodeSource } from './source/source.ts';
export { syncOnce } from './sync/keep-in-sync.ts';
