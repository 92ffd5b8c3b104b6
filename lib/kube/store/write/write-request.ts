import type { Resource } from '#lib/spec/index.ts';
import type { KubeObject } from '../../object.ts';
import type { Patch, WriteOptions } from '../../port.ts';
import type { Manager } from '../apply/managed-fields.ts';
import type { Kind } from '../kinds.ts';
import type { KindSchema } from '../schema/kind-schema.ts';
import type { Endpoint } from './strategy.ts';

type Target = { resource: Resource; namespace: string | undefined; name: string; options: WriteOptions };

export type Write =
  | (Target & { operation: 'create' | 'replace'; body: KubeObject })
  | (Target & { operation: 'apply'; body: KubeObject; force: boolean })
  | (Target & { operation: 'patch'; patch: Patch });

/** What every part of one write needs to know. */
export type WriteContext = {
  kind: Kind;
  key: string;
  name: string;
  schema: KindSchema;
  endpoint: Endpoint;
  options: WriteOptions;
  manager: Manager;
};
