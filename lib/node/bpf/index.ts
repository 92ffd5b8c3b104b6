export { BpfError, type BpfErrorCode } from './bpf-error.ts';
export type { BpfMap, DataPlaneMaps } from './data-plane-maps.ts';
export type * from './data-plane-records.ts';
export {
  backendFlags,
  backendLists,
  configFlags,
  flowTypes,
  interfaceKinds,
  protocols,
  routeFlags,
  serviceFlags,
  tunnelDefaults,
} from './data-plane-values.ts';
