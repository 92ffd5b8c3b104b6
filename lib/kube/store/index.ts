export type { AccessRule, StoreUser } from './access.ts';
export type { Change } from './history.ts';
export {
  type Call,
  createStore,
  type Interceptor,
  type PodHandlers,
  type Snapshot,
  type Store,
  type StoreOptions,
} from './store.ts';
