import { type Discovery, KubeError } from '#lib/kube/index.ts';

/** The target of a path. `rest` is everything after a subresource, with its slash (`pods/NAME/proxy/healthz`: `/healthz`). */
export type Target = {
  resource: Discovery['resources'][number];
  namespace: string | undefined;
  name: string | null;
  subresource: string | null;
  rest: string;
};

/**
 * Parses the path of a request as the API server does; null if nothing like it is served
 * (https://kubernetes.io/docs/reference/using-api/api-concepts/#resource-uris). Throws `invalid` for wrong percent-encoding.
 */
export function targetOf(pathname: string, served: Discovery['resources']): Target | null {
  const [, root, ...parts] = pathname.split('/');
  const [group, version, ...path] = root === 'apis' ? parts : root === 'api' ? ['', ...parts] : [];
  const inNamespace = path[0] === 'namespaces' && path.length > 2 && !['status', 'finalize'].includes(path[2] ?? '');
  const [plural, name, subresource, ...rest] = inNamespace ? path.slice(2) : path;
  const resource = served.find(
    (one) => one.group === group && one.version === version && one.plural === plural && plural !== undefined,
  );
  if (!resource || (inNamespace && !resource.namespaced)) return null;
  return {
    resource,
    namespace: inNamespace ? decoded(path[1]) : undefined,
    name: name ? decoded(name) : null,
    subresource: subresource ?? null,
    rest: rest.length > 0 ? `/${rest.join('/')}` : '',
  };
}

function decoded(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new KubeError('invalid', 'The path is not percent-encoded properly.', { status: 400 });
  }
}
