import type { Clock } from '../../clock.ts';
import type { KubeObject } from '../../object.ts';
import type { Kind } from '../kinds.ts';
import type { Change } from '../read/history.ts';
import type { KindSchema } from '../schema/kind-schema.ts';

/** What writes work on: the objects of the store, and the things that only the server decides. */
export type StoreState = {
  readonly clock: Clock;
  read(kind: Kind, key: string): KubeObject | null;
  schemaOf(kind: Kind, version: string): KindSchema;
  /** Throws when nothing can be created in this namespace. */
  requireNamespace(kind: Kind, namespace: string, name: string): void;
  /** Stores one version and tells everyone. */
  commit(kind: Kind, key: string, type: Change['type'], object: KubeObject): void;
  nextRevision(): string;
  newUid(): string;
};
