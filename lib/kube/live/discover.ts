import { z } from 'zod';
import { isKubeError, KubeError } from '../error.ts';
import type { CallOptions, Discovery } from '../port.ts';
import type { Connection } from './connection.ts';

const aggregatedAccept = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json;q=0.5',
].join(',');

const aggregatedSchema = z.object({
  kind: z.literal('APIGroupDiscoveryList'),
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string().nullish() }).nullish(),
      versions: z
        .array(
          z.object({
            version: z.string(),
            freshness: z.string().nullish(),
            resources: z
              .array(
                z.object({
                  resource: z.string(),
                  responseKind: z.object({ kind: z.string() }).nullish(),
                  scope: z.string(),
                  verbs: z.array(z.string()),
                }),
              )
              .nullish(),
          }),
        )
        .nullish(),
    }),
  ),
});

const versionsSchema = z.object({ versions: z.array(z.string()) });
const groupsSchema = z.object({
  groups: z.array(z.object({ name: z.string(), versions: z.array(z.object({ groupVersion: z.string() })) })),
});
const resourceListSchema = z.object({
  resources: z
    .array(z.object({ name: z.string(), kind: z.string(), namespaced: z.boolean(), verbs: z.array(z.string()) }))
    .nullish(),
});

/** All served kinds in all versions, without subresources. Takes two requests where discovery is aggregated (1.27 and later). */
export async function discover(connection: Connection, options: CallOptions): Promise<Discovery> {
  const parts = await Promise.all(['/api', '/apis'].map((path) => discoverUnder(connection, path, options)));
  return { resources: parts.flatMap((part) => part.resources), failing: parts.flatMap((part) => part.failing) };
}

async function discoverUnder(connection: Connection, path: string, options: CallOptions): Promise<Discovery> {
  const answer = await read(connection, path, options, aggregatedAccept);
  const aggregated = aggregatedSchema.safeParse(answer);
  if (aggregated.success) return fromAggregated(aggregated.data);

  const groupVersions =
    path === '/api'
      ? parse(versionsSchema, answer).versions
      : parse(groupsSchema, answer).groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion));
  const lists = await Promise.all(
    groupVersions.map((groupVersion) => discoverOne(connection, path, groupVersion, options)),
  );
  return { resources: lists.flatMap((list) => list.resources), failing: lists.flatMap((list) => list.failing) };
}

function fromAggregated({ items }: z.output<typeof aggregatedSchema>): Discovery {
  const found: Discovery = { resources: [], failing: [] };
  for (const item of items) {
    const group = item.metadata?.name ?? '';
    for (const { version, freshness, resources } of item.versions ?? []) {
      // Stale: the aggregated API did not answer; these are its earlier kinds, or none.
      if (freshness === 'Stale') {
        const groupVersion = group === '' ? version : `${group}/${version}`;
        found.failing.push({ groupVersion, because: 'the server behind this API does not answer' });
      }
      for (const { resource, responseKind, scope, verbs } of resources ?? []) {
        const kind = responseKind?.kind;
        if (kind)
          found.resources.push({ group, version, kind, plural: resource, namespaced: scope === 'Namespaced', verbs });
      }
    }
  }
  return found;
}

async function discoverOne(
  connection: Connection,
  path: string,
  groupVersion: string,
  options: CallOptions,
): Promise<Discovery> {
  const [group = '', version = ''] = groupVersion.includes('/') ? groupVersion.split('/') : ['', groupVersion];
  try {
    const list = parse(
      resourceListSchema,
      await read(connection, `${path}/${groupVersion}`, options, 'application/json'),
    );
    const resources = (list.resources ?? [])
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced, verbs }) => ({ group, version, kind, plural: name, namespaced, verbs }));
    return { resources, failing: [] };
  } catch (error) {
    if (!isKubeError(error, 'not-served', 'server', 'protocol', 'not-found', 'too-many-requests')) throw error;
    return { resources: [], failing: [{ groupVersion, because: error.message }] };
  }
}

function read(connection: Connection, path: string, options: CallOptions, accept: string): Promise<unknown> {
  return connection.json({
    method: 'GET',
    path,
    rule: null,
    accept,
    signal: options.signal,
    timeoutMs: options.timeoutMs,
  });
}

function parse<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new KubeError('protocol', "The API server's list of the kinds that it serves cannot be read.");
}
