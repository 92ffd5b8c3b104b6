import type { V1ManagedFieldsEntry, V1ObjectMeta, V1OwnerReference } from '@kubernetes/client-node';
import type { Json } from './read/json.ts';

/** A Kubernetes object as it came over the wire. Only metadata is typed: fields are parsed where they are read. */
export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
};

export type ObjectMeta = Json<V1ObjectMeta> & { [field: string]: unknown };

/** An object of a kind that the client has a model of, as we write it: what the model does not know does not compile. */
export type ObjectToWrite<M extends { metadata?: V1ObjectMeta }> = Json<M> &
  Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>;

export type OwnerReference = Json<V1OwnerReference>;

/** https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management */
export type ManagedFieldsEntry = Json<V1ManagedFieldsEntry>;
