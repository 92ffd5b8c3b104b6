export { attachByClsact, detachFromClsact } from './attach/attach-by-clsact.ts';
export { attachInterface, detachInterface, isInterfaceAttached } from './attach/attach-interface.ts';
export { areSocketsAttached, attachSockets, type SocketAttachment } from './attach/attach-sockets.ts';
export { detachPinnedPrograms } from './attach/pinned-program.ts';
export { BpfError } from './bpf-error.ts';
export { requireBpfFileSystem } from './bpf-file-system.ts';
export { mapShapes } from './btf.ts';
export type { BpfMap, DataPlaneMaps } from './data-plane-maps.ts';
export type * from './data-plane-records.ts';
export {
  backendFlags,
  backendLists,
  configFlags,
  flowFlags,
  flowLasts,
  flowTypes,
  interfaceKinds,
  outcomes,
  protocols,
  routeFlags,
  serviceFlags,
  tcpSeen,
  tunnelDefaults,
} from './data-plane-values.ts';
export { elfSection } from './elf-section.ts';
export { holdPins } from './hold-pins.ts';
export { openLibbpf } from './libbpf.ts';
export { helperCalls } from './load/kernel-parts.ts';
export { type DataPlane, loadDataPlane } from './load/load-data-plane.ts';
export { openLibrary } from './native-library.ts';
export { type Netlink, netlinkFlags, netlinkMessage, openNetlink } from './netlink.ts';
export { type HandedOverMaps, openPinnedMaps, openPinnedToHandOver } from './open-maps.ts';
export { interfacePrograms, plainer, socketHooks } from './programs.ts';
export type { Counts } from './read-counts.ts';
