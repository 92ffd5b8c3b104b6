export { type Clock, instantClock, type Moment, momentOf, msSince, systemClock } from './clock.ts';
export { clusterUid, readClusterUid } from './cluster-uid.ts';
export {
  type Dump,
  type DumpRecord,
  type DumpWriter,
  dumpHolds,
  getHeld,
  InputError,
  isLeftOut,
  type ListWriter,
  openDump,
  openDumpWriter,
  type RecordedKind,
} from './dump/index.ts';
export {
  isKubeError,
  KubeError,
  type KubeErrorCode,
  type MissingRule,
} from './error.ts';
export { execChannel, execProtocols } from './exec-channels.ts';
export { type FollowedKind, followKind, Informer, type InformerEvents, type KindSink, keyOf } from './informer.ts';
export { kubeconfigOf, kubeconfigText } from './kubeconfig-text.ts';
export { connect, listContexts } from './live/connect.ts';
export type { KnownContext } from './live/contexts.ts';
export type { LiveKube } from './live/open.ts';
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, ObjectToWrite, OwnerReference } from './object.ts';
export { objectTime } from './object-time.ts';
export type * from './port.ts';
export { felixOf, installationOf, nodeOfFelix } from './read/calico.ts';
export { conditionsOf, isTrue } from './read/conditions.ts';
export { binaryDataOf, dataOf } from './read/config-map.ts';
export { writtenAt } from './read/fields.ts';
export type { Json } from './read/json.ts';
export { leaseOf } from './read/lease.ts';
export { landingOf, nodeKindOf, nodeOf, type ReadNode } from './read/node.ts';
export { type PodFault, type PodState, podHasEnded, podOf, podState, podStatusOf } from './read/pod.ts';
export { type Container, landingPodOf, type ReadPodSpec } from './read/pod-spec.ts';
export { type RolloutCounts, rolloutCounts } from './read/rollout.ts';
export { clusterDnsOf, endpointSliceOf, endpointsOf, serviceOf } from './read/service.ts';
export { containerNamed, containersOf, type Workload, workloadOf } from './read/workload.ts';
export {
  type AccessRule,
  type Call,
  type Change,
  createStore,
  jsonPatch,
  matcherOf,
  type PatchType,
  type PodHandlers,
  patchTypeOf,
  type Snapshot,
  type Store,
  seenThrough,
} from './store/index.ts';
