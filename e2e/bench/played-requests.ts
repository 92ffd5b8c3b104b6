import type { KubeObject } from '#lib/kube/index.ts';
import { apiVersionOf, type Resource, resources } from '#lib/spec/index.ts';

/** How requests to an API server are read, as far as the console makes them, and what is answered about the kinds that are there. Pure. */

const served = Object.values(resources).filter(
  ({ group }) => !group.includes('openshift') && group !== 'projectcalico.org',
);
const byPath = new Map(
  served.map((resource) => [
    `${resource.group === '' ? '/api/v1' : `/apis/${apiVersionOf(resource)}`}/${resource.plural}`,
    resource,
  ]),
);

/** What a path is about; null where nothing like that is served. */
export function target(pathname: string) {
  const found =
    /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?$/.exec(
      pathname,
    );
  const resource = found ? byPath.get(`${found[1]}/${found[3]}`) : undefined;
  if (!found || !resource) return null;
  return { resource, namespace: found[2] ?? null, name: found[4] ?? null, part: found[5] ?? null };
}

/** Equality and `in` on labels, and a name: all that the console asks for. */
export function selector(query: URLSearchParams): (object: KubeObject) => boolean {
  const named = /^metadata\.name=(.+)$/.exec(query.get('fieldSelector') ?? '')?.[1];
  const labels = query.get('labelSelector') ?? '';
  const [, among, list] = /^(\S+) in \((.*)\)$/.exec(labels) ?? [];
  const pairs = among === undefined && labels !== '' ? labels.split(',').map((pair) => pair.split('=')) : [];
  const values = list?.split(',').map((value) => value.trim());
  return ({ metadata }) =>
    (named === undefined || metadata.name === named) &&
    (among === undefined || (values?.includes(metadata.labels?.[among] ?? '') ?? false)) &&
    pairs.every(([key = '', value]) =>
      value === undefined ? metadata.labels?.[key] !== undefined : metadata.labels?.[key] === value,
    );
}

/** Aggregated discovery under `/api` or `/apis`. */
export function discovery(root: string) {
  const groups = new Map<string, Resource[]>();
  for (const resource of served)
    if ((resource.group === '') === (root === '/api'))
      groups.set(resource.group, [...(groups.get(resource.group) ?? []), resource]);
  const items = [...groups].map(([name, found]) => ({
    metadata: name === '' ? {} : { name },
    versions: [...new Set(found.map((resource) => resource.version))].map((each) => ({
      version: each,
      resources: found
        .filter((resource) => resource.version === each)
        .map(({ plural, kind, namespaced }) => ({
          resource: plural,
          responseKind: { kind },
          scope: namespaced ? 'Namespaced' : 'Cluster',
          verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
        })),
    })),
  }));
  return { ...head('apidiscovery.k8s.io/v2', 'APIGroupDiscoveryList'), items };
}

export function head(apiVersion: string, kind: string) {
  return { apiVersion, kind };
}
