export type { AccessRule, StoreUser } from './access.ts';
export type { Call, Interceptor } from './calls.ts';
export type { Snapshot } from './contents.ts';
export type { Change } from './read/history.ts';
export { matcherOf } from './read/selectors.ts';
export { seenThrough } from './read/watch.ts';
export { type PatchType, patchTypeOf } from './schema/patch-type.ts';
export { createStore } from './store.ts';
export type { PodHandlers, Store, StoreOptions } from './store-contract.ts';
