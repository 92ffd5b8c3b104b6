import type { Discovery, KubeObject } from '#lib/kube/index.ts';
import { isFields } from './body.ts';

type Served = Discovery['resources'];

/** `/openapi/v3`: the paths that describe each group and version. */
export function openApiIndex(served: Served) {
  const paths = [...new Set(served.map(baseOf))].map((base) => [base, { serverRelativeURL: `/openapi/v3/${base}` }]);
  return { paths: Object.fromEntries(paths) };
}

/**
 * One group and version, as far as kubectl reads it: that the server validates fields and supports dry runs (`apply`, `create`), and the schemas of
 * kinds with a definition (`explain`; built-in kinds have no descriptions here and are left out). Null if it is not served.
 */
export function openApiOf(base: string, served: Served, definitions: readonly KubeObject[]) {
  const found = served.filter((one) => baseOf(one) === base);
  if (found.length === 0) return null;
  const schemas = found.flatMap((one) => {
    const schema = schemaOf(one, definitions);
    return schema === null ? [] : [[`${one.group}.${one.version}.${one.kind}`, { ...schema, [ofKind]: [kindOf(one)] }]];
  });
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: Object.fromEntries(
      found.flatMap((one) => {
        const collection = `/${base}${one.namespaced ? '/namespaces/{namespace}' : ''}/${one.plural}`;
        const operation = { [ofKind]: kindOf(one), parameters: queryParameters, responses: {} };
        return [
          [collection, { get: operation }],
          [`${collection}/{name}`, { get: operation, patch: operation }],
        ];
      }),
    ),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

const ofKind = 'x-kubernetes-group-version-kind';
const queryParameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
  name,
  in: 'query',
  schema: { type: 'string' },
}));

function baseOf({ group, version }: Served[number]): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function kindOf({ group, version, kind }: Served[number]) {
  return { group, version, kind };
}

function schemaOf({ group, version, plural }: Served[number], definitions: readonly KubeObject[]) {
  const definition = definitions.find(({ metadata }) => metadata.name === `${plural}.${group}`);
  const spec = definition?.spec;
  const versions: unknown[] = isFields(spec) && Array.isArray(spec.versions) ? spec.versions : [];
  const own = versions.find((one) => isFields(one) && one.name === version);
  const schema = isFields(own) && isFields(own.schema) ? own.schema.openAPIV3Schema : null;
  return isFields(schema) ? schema : null;
}
