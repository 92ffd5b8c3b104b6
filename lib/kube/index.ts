export { type Clock, instantClock, systemClock } from './clock.ts';
export { type Dump, InputError, openDump } from './dump/index.ts';
export {
  type FieldConflict,
  isKubeError,
  KubeError,
  type KubeErrorCode,
  type KubeErrorDetail,
  type MissingRule,
} from './error.ts';
export { type ConnectOptions, connect, type KnownContext, type LiveKube, listContexts } from './live/connect.ts';
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.ts';
export type * from './port.ts';
export { writtenAt } from './read/fields.ts';
export { type PodFault, type PodState, podState } from './read/pod-state.ts';
export {
  type AccessRule,
  type Call,
  type Change,
  createStore,
  type Interceptor,
  matcherOf,
  type PodHandlers,
  type Snapshot,
  type Store,
  type StoreOptions,
  type StoreUser,
  seenThrough,
} from './store/index.ts';
