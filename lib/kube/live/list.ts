import { apiVersionOf, type Resource } from '#lib/spec/index.ts';
import { isKubeError, KubeError } from '../error.ts';
import type { KubeObject } from '../object.ts';
import type { ListOptions, Page } from '../port.ts';
import type { Connection } from './connection.ts';
import { asPage, type RawPage } from './parse.ts';
import { collectionPath, withQuery } from './target.ts';

const defaultPageSize = 500;
const metadataOnly = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json;q=0.5';

export type ListContent = 'objects' | 'metadata';

/**
 * Pages of a list. The next page is fetched while the caller works on this one. `timeoutMs` limits each page. If the continue token expires (410), the list
 * starts over once and leaves out the objects that it has already given.
 */
export async function* listPages(
  connection: Connection,
  resource: Resource,
  options: ListOptions,
  content: ListContent,
): AsyncGenerator<Page<KubeObject>> {
  const abandoned = new AbortController();
  const onAbort = () => abandoned.abort();
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) abandoned.abort();
  const fetchPage = (token: string | null): Promise<RawPage> =>
    page(connection, resource, { ...options, signal: abandoned.signal }, content, token);

  const given = new Set<string>();
  let restarted = false;
  try {
    let current: RawPage | null = await fetchPage(null);
    while (current) {
      const { items, resourceVersion, remaining, next }: RawPage = current;
      const following: Promise<RawPage> | null = next === null ? null : fetchPage(next);
      // The loop throws its failure when it gets there; if the caller stops before, nobody handles it.
      following?.catch(() => {});
      const fresh = restarted ? items.filter((item) => !given.has(identity(item))) : items;
      if (next !== null && !restarted) for (const item of items) given.add(identity(item));
      yield { items: fresh, resourceVersion, remaining };
      if (!following) return;
      try {
        current = await following;
      } catch (error) {
        if (restarted || !isKubeError(error, 'expired')) throw error;
        restarted = true;
        current = await fetchPage(null);
      }
    }
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
    abandoned.abort();
  }
}

/** All objects as of one resourceVersion, from which a watch can start. If the continue token expires, it reads all pages again. */
export async function listAll(
  connection: Connection,
  resource: Resource,
  options: ListOptions,
): Promise<{ objects: KubeObject[]; resourceVersion: string }> {
  for (let attempt = 1; ; attempt++) {
    try {
      const objects: KubeObject[] = [];
      let token: string | null = null;
      for (;;) {
        const current: RawPage = await page(connection, resource, options, 'objects', token);
        for (const item of current.items) objects.push(item);
        if (current.next === null) return { objects, resourceVersion: current.resourceVersion };
        token = current.next;
      }
    } catch (error) {
      if (attempt >= 3 || !isKubeError(error, 'expired')) throw error;
    }
  }
}

async function page(
  connection: Connection,
  resource: Resource,
  options: ListOptions,
  content: ListContent,
  token: string | null,
): Promise<RawPage> {
  const path = withQuery(collectionPath(resource, options.namespace), {
    limit: options.pageSize ?? defaultPageSize,
    continue: token ?? undefined,
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  });
  const namespace = resource.namespaced ? options.namespace : undefined;
  try {
    const answer = await connection.json({
      method: 'GET',
      path,
      rule: {
        verb: 'list',
        group: resource.group,
        resource: resource.plural,
        ...(namespace === undefined ? {} : { namespace }),
      },
      ...(content === 'metadata' ? { accept: metadataOnly } : {}),
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
    const read = asPage(answer, apiVersionOf(resource), resource.kind);
    // An aggregated API that passes over `continue` would give its first page for ever.
    if (token !== null && read.next === token)
      throw new KubeError(
        'protocol',
        `The API server's list of ${resource.kind} objects does not end: it repeats a page.`,
      );
    return read;
  } catch (error) {
    // 404 for a collection means that the kind is not served.
    if (isKubeError(error, 'not-found'))
      throw new KubeError('not-served', `This cluster has no ${resource.plural}.`, error.detail, error);
    throw error;
  }
}

function identity({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
