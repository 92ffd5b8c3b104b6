import type { ServerResponse } from 'node:http';
import { type Change, KubeError, type KubeObject, matcherOf, type Store, seenThrough } from '#lib/kube/index.ts';
import { apiVersionOf, resources } from '#lib/spec/index.ts';
import type { ChangeLog } from './change-log.ts';
import type { Target } from './target.ts';

/** Clients consider a stream dead that is silent for longer than a minute. */
const bookmarkMs = 20_000;
const longestSeconds = 1800;
/** A reader that falls behind this far is disconnected. It resumes, or lists again. */
const mostWaitingBytes = 64 * 1024 * 1024;
const initialEventsEnd = { 'k8s.io/initial-events-end': 'true' };

/**
 * `?watch=1`: one event per line, from `resourceVersion` on, or after all existing objects (no version, `0`, or `sendInitialEvents`). Resolves when
 * the stream has begun. The stream ends after `timeoutSeconds`, and when the kind's definition changes, as with an API server.
 */
export async function watch(
  { store, log }: { store: Store; log: ChangeLog },
  { resource, namespace }: Target,
  query: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const selection = {
    ...(namespace === undefined ? {} : { namespace }),
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
  };
  const matches = matcherOf(selection);
  const apiVersion = apiVersionOf(resource);
  const kindKey = `${resource.group}/${resource.plural}`;
  const from = query.get('resourceVersion') ?? '';
  const sendsInitial = query.get('sendInitialEvents') === 'true' || from === '' || from === '0';
  const found: KubeObject[] = [];
  let position = Number(from);
  if (Number.isNaN(position))
    throw new KubeError('invalid', `resourceVersion: ${from} is not a number`, { status: 400 });
  if (sendsInitial)
    for await (const page of store.list(resource, selection)) {
      found.push(...page.items);
      position = Number(page.resourceVersion);
    }
  else await mayWatch(store, resource, namespace);
  const missed = log.after(position);
  if (missed === null) throw new KubeError('expired', `too old resource version: ${from} (${log.revision()})`);

  const send = (type: string, object: unknown) => {
    // The stream has ended; its last bytes are being sent.
    if (response.writableEnded) return;
    response.write(`${JSON.stringify({ type, object })}\n`);
    if (response.writableLength > mostWaitingBytes) response.destroy();
  };
  const bookmark = (annotations?: Record<string, string>) =>
    send('BOOKMARK', {
      kind: resource.kind,
      apiVersion,
      metadata: {
        resourceVersion: String(log.revision()),
        creationTimestamp: null,
        ...(annotations ? { annotations } : {}),
      },
    });
  const notify = (change: Change) => {
    if (isDefinitionOf(change, resource)) return response.end();
    const event = change.kindKey === kindKey ? seenThrough(matches, change) : null;
    if (event) send(event.type.toUpperCase(), { ...event.object, apiVersion });
    return undefined;
  };

  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  for (const object of found) send('ADDED', object);
  for (const change of missed) notify(change);
  if (query.get('sendInitialEvents') === 'true') bookmark(initialEventsEnd);
  const stop = store.onChange(notify);
  const bookmarks = query.get('allowWatchBookmarks') ? setInterval(bookmark, bookmarkMs) : undefined;
  const seconds = Math.min(Number(query.get('timeoutSeconds')) || longestSeconds, longestSeconds);
  const ending = setTimeout(() => response.end(), seconds * 1000);
  response.once('close', () => {
    stop();
    clearInterval(bookmarks);
    clearTimeout(ending);
  });
}

/** Rejects as a list would, because a watch bypasses the store's own check. */
async function mayWatch(
  store: Store,
  { group, plural }: Target['resource'],
  namespace: string | undefined,
): Promise<void> {
  const rule = { verb: 'watch', group, resource: plural, ...(namespace === undefined ? {} : { namespace }) };
  const [answer] = await store.allowed([rule]);
  if (!answer?.allowed) throw new KubeError('forbidden', `${plural} may not be watched`, { status: 403, rule });
}

function isDefinitionOf({ kindKey, object, before, type }: Change, { group, plural }: Target['resource']): boolean {
  const { customResourceDefinitions: definitions } = resources;
  return (
    kindKey === `${definitions.group}/${definitions.plural}` &&
    object.metadata.name === `${plural}.${group}` &&
    (type === 'deleted' || before?.metadata.generation !== object.metadata.generation)
  );
}
