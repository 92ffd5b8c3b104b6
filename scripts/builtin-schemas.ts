/**
 * Writes lib/kube/store/schema/builtin-schemas.json: the schemas of Kubernetes' built-in kinds for the store. Run it by hand when the pinned
 * Kubernetes version changes:
 *
 *   scripts/builtin-schemas.ts FOLDER_OF_OPENAPI FOLDER_OF_GO_MODULES
 *
 * The first folder holds a server's `/openapi/v3/…` documents, one `*_openapi.json` per group version (`kubectl get --raw`, or
 * `api/openapi-spec/v3` of the Kubernetes sources, which are the same). The second holds the Go modules of the types (`k8s.io` in the
 * module cache): OpenAPI does not say which fields are pointers, and so whether a server keeps 0, "" and false.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const groupVersions: Record<string, string> = {
  api__v1: 'api@*/core/v1',
  'apis__admissionregistration.k8s.io__v1': 'api@*/admissionregistration/v1',
  'apis__apiextensions.k8s.io__v1': 'apiextensions-apiserver@*/pkg/apis/apiextensions/v1',
  'apis__apiregistration.k8s.io__v1': 'kube-aggregator@*/pkg/apis/apiregistration/v1',
  apis__apps__v1: 'api@*/apps/v1',
  apis__autoscaling__v2: 'api@*/autoscaling/v2',
  apis__batch__v1: 'api@*/batch/v1',
  'apis__coordination.k8s.io__v1': 'api@*/coordination/v1',
  'apis__discovery.k8s.io__v1': 'api@*/discovery/v1',
  'apis__events.k8s.io__v1': 'api@*/events/v1',
  'apis__networking.k8s.io__v1': 'api@*/networking/v1',
  apis__policy__v1: 'api@*/policy/v1',
  'apis__rbac.authorization.k8s.io__v1': 'api@*/rbac/v1',
  'apis__scheduling.k8s.io__v1': 'api@*/scheduling/v1',
  'apis__storage.k8s.io__v1': 'api@*/storage/v1',
};

const jsonObject = z.record(z.string(), z.unknown());
const gvkSchema = z.object({ group: z.string(), version: z.string(), kind: z.string() });
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), jsonObject) }),
});
const kept = [
  'type',
  'format',
  'required',
  'enum',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-strategy',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-preserve-unknown-fields',
];

type Compact = Record<string, unknown>;
type GoField = { pointer: boolean; omit: boolean };

const [openApiFolder, modulesFolder] = process.argv.slice(2);
if (!openApiFolder || !modulesFolder) {
  console.error('usage: scripts/builtin-schemas.ts FOLDER_OF_OPENAPI FOLDER_OF_GO_MODULES');
  process.exit(2);
}

const goTypes = new Map<string, Map<string, GoField>>();
const definitions: Record<string, Compact> = {};
const kinds: {
  group: string;
  version: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  subresources: string[];
  type: string;
}[] = [];

readGoTypes('apimachinery@*/pkg/apis/meta/v1', 'meta.v1');
for (const [document, source] of Object.entries(groupVersions)) {
  const [version = '', group = ''] = source.split('/').toReversed();
  readGoTypes(source, `${group}.${version}`);
  const { paths, components } = documentSchema.parse(
    JSON.parse(readFileSync(join(openApiFolder, `${document}_openapi.json`), 'utf8')),
  );
  for (const [name, schema] of Object.entries(components.schemas)) {
    const short = shortName(name);
    if (/List$/.test(short) && Array.isArray(schema['x-kubernetes-group-version-kind'])) continue;
    definitions[short] ??= definition(short, schema);
  }
  for (const [path, operations] of Object.entries(paths)) {
    const created = /^\/apis?(?:\/[^/]+){1,2}(\/namespaces\/\{namespace\})?\/([a-z]+)$/.exec(path);
    const post = jsonObject.safeParse(operations.post);
    if (!created || !post.success) continue;
    const gvk = gvkSchema.safeParse(post.data['x-kubernetes-group-version-kind']);
    const plural = created[2] ?? '';
    if (!gvk.success || paths[`${path}/{name}`] === undefined) continue;
    const type = typeOf(gvk.data);
    if (!type) continue;
    const subresources = ['status', 'scale'].filter((name) => paths[`${path}/{name}/${name}`] !== undefined);
    kinds.push({ ...gvk.data, plural, namespaced: created[1] !== undefined, subresources, type });
  }

  function typeOf(wanted: z.infer<typeof gvkSchema>): string | undefined {
    const found = Object.entries(components.schemas).find(([, schema]) =>
      z
        .array(gvkSchema)
        .safeParse(schema['x-kubernetes-group-version-kind'])
        .data?.some((gvk) => gvk.group === wanted.group && gvk.version === wanted.version && gvk.kind === wanted.kind),
    );
    return found && shortName(found[0]);
  }
}

const reachable = new Set<string>();
const visit = (name: string) => {
  if (reachable.has(name)) return;
  reachable.add(name);
  for (const ref of JSON.stringify(definitions[name] ?? {}).matchAll(/"ref":"([^"]+)"/g)) visit(ref[1] ?? '');
};
for (const kind of kinds) visit(kind.type);
const text = JSON.stringify({
  kinds,
  definitions: Object.fromEntries(
    Object.entries(definitions)
      .filter(([name]) => reachable.has(name))
      .sort(),
  ),
});
const target = new URL('../lib/kube/store/schema/builtin-schemas.json', import.meta.url);
writeFileSync(target, `${text}\n`);
console.error(`${kinds.length} kinds, ${reachable.size} definitions, ${Math.round(text.length / 1000)} kB`);

/** `io.k8s.api.apps.v1.DaemonSet` → `apps.v1.DaemonSet`: group, version and type identify a definition. */
function shortName(name: string): string {
  return name.split('.').slice(-3).join('.');
}

function definition(name: string, schema: Compact): Compact {
  if (/\.Quantity$/.test(name)) return { type: 'string', format: 'quantity' };
  if (/\.IntOrString$/.test(name)) return { type: 'string', format: 'int-or-string' };
  if (/\.RawExtension$/.test(name)) return { 'x-kubernetes-map-type': 'atomic' };
  return compact(schema, goTypes.get(name));
}

function compact(schema: Compact, go?: Map<string, GoField>): Compact {
  const out: Compact = {};
  for (const name of kept) if (schema[name] !== undefined) out[name] = schema[name];
  // The default of an empty struct only means that the field is always written, which `zero` records already.
  if (schema.default !== undefined && !isEmptyObject(schema.default)) out.default = schema.default;
  const all = z.array(jsonObject).safeParse(schema.allOf).data;
  const ref = schema.$ref ?? (all?.length === 1 ? all[0]?.$ref : undefined);
  if (typeof ref === 'string') out.ref = shortName(ref.replace('#/components/schemas/', ''));
  const items = jsonObject.safeParse(schema.items);
  if (items.success) out.items = compact(items.data);
  const additional = jsonObject.safeParse(schema.additionalProperties);
  if (additional.success) out.additionalProperties = compact(additional.data);
  const properties = z.record(z.string(), jsonObject).safeParse(schema.properties);
  if (properties.success) {
    out.properties = Object.fromEntries(
      Object.entries(properties.data).map(([name, member]) => {
        const field = go?.get(name);
        const value = compact(member);
        if (field && !field.pointer) value.zero = field.omit && !isStruct(member) ? 'dropped' : 'written';
        if (value.zero === 'written' && field?.omit && /\.(Time|MicroTime)$/.test(String(value.ref)))
          value.zero = 'dropped';
        return [name, value];
      }),
    );
  }
  return out;
}

function isStruct(schema: Compact): boolean {
  return schema.$ref !== undefined || schema.allOf !== undefined;
}

function isEmptyObject(value: unknown): boolean {
  return jsonObject.safeParse(value).success && Object.keys(value as object).length === 0;
}

/** Reads the fields of every struct in a package: whether a field is a pointer, and whether `omitempty` drops its zero value. */
function readGoTypes(source: string, prefix: string): void {
  const [module = '', ...rest] = source.split('/');
  const versions = readdirSync(modulesFolder ?? '')
    .filter((name) => name.startsWith(module.replace('*', '')))
    .sort();
  const folder = join(modulesFolder ?? '', versions.at(-1) ?? module, ...rest);
  const text = readdirSync(folder)
    .filter((name) => /^types.*\.go$|^micro_time\.go$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const embedded = new Map<string, string[]>();
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    const fields = new Map<string, GoField>();
    for (const line of body.split('\n')) {
      const field = /^\s*(?:(\w+)\s+)?(\*?[\w.[\]*]+(?:\{\})?)\s+`[^`]*json:"([^"]*)"/.exec(line);
      if (!field) continue;
      const [, , goType = '', tag = ''] = field;
      const [jsonName = '', ...options] = tag.split(',');
      if (options.includes('inline')) embedded.set(name, [...(embedded.get(name) ?? []), goType.replace('*', '')]);
      else
        fields.set(jsonName, {
          pointer: goType.startsWith('*'),
          omit: options.includes('omitempty') || options.includes('omitzero'),
        });
    }
    goTypes.set(`${prefix}.${name}`, fields);
  }
  for (const [name, parts] of embedded) {
    for (const part of parts)
      for (const [field, info] of goTypes.get(`${prefix}.${part}`) ?? [])
        goTypes.get(`${prefix}.${name}`)?.set(field, info);
  }
}
