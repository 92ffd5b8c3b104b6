export { type Clock, instantClock, systemClock } from './clock.ts';
export {
  type FieldConflict,
  isKubeError,
  KubeError,
  type KubeErrorCode,
  type KubeErrorDetail,
  type MissingRule,
} from './error.ts';
export type { KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.ts';
export type * from './port.ts';
