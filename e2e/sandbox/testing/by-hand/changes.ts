import { isRecord } from '#lib/base/records.ts';
import type { KubeObject } from '#lib/kube/index.ts';

export const object = (
  apiVersion: string,
  kind: string,
  name: string,
  rest: Record<string, unknown>,
  namespace?: string,
): KubeObject => ({ apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...rest });

export const adding =
  (...added: readonly KubeObject[]) =>
  (objects: KubeObject[]) => [...objects, ...added];

/** Changes an object. Throws if none has this kind and name, because a row without a change would test nothing. */
export const changing =
  (kind: string, name: RegExp, change: (object: KubeObject) => KubeObject) =>
  (objects: KubeObject[]): KubeObject[] => {
    const isMeant = (one: KubeObject) => one.kind === kind && name.test(one.metadata.name ?? '');
    if (!objects.some(isMeant)) throw new Error(`no ${kind} is called ${name}`);
    return objects.map((one) => (isMeant(one) ? change(one) : one));
  };

export const withSpec =
  (spec: Record<string, unknown>) =>
  (one: KubeObject): KubeObject => ({ ...one, spec: { ...Object(one.spec), ...spec } });

export const all =
  (...changes: readonly ((objects: KubeObject[]) => KubeObject[])[]) =>
  (objects: KubeObject[]) =>
    changes.reduce((changed, change) => change(changed), objects);

export const withoutVariable = (one: KubeObject, variable: string): KubeObject =>
  JSON.parse(
    JSON.stringify(one, (_key, value: unknown) =>
      Array.isArray(value) ? value.filter((item) => !isRecord(item) || item.name !== variable) : value,
    ),
  );

/** A CustomResourceDefinition of an older release, with schemas that a user's script wrote. */
export const writtenBy =
  (manager: string) =>
  (one: KubeObject): KubeObject => {
    const old = JSON.parse(JSON.stringify(one).replaceAll('"assignmentMode"', '"olderField"'));
    const fieldsV1 = { 'f:spec': { 'f:versions': {} } };
    const entry = { manager, operation: 'Apply', apiVersion: one.apiVersion, fieldsType: 'FieldsV1', fieldsV1 };
    return { ...old, metadata: { ...old.metadata, managedFields: [entry] } };
  };
