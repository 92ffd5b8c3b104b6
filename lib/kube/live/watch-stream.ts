import { isRecord } from '#lib/base/records.ts';
import type { Resource } from '#lib/spec/index.ts';
import { isKubeError, KubeError } from '../error.ts';
import type { WatchEvent, WatchOptions } from '../port.ts';
import type { Connection } from './connection.ts';
import { lines } from './lines.ts';
import { isObject } from './parse.ts';
import { refusedByStatus } from './status.ts';
import { collectionPath, withQuery } from './target.ts';

type StreamEvent = Exclude<WatchEvent, { type: 'synced' | 'interrupted' }>;

/** `events` ends when the server closes the stream or is silent for too long; then `ended` says which. */
export type WatchStream = { readonly events: AsyncGenerator<StreamEvent>; ended(): 'closed' | 'silent' };

const kinds: Readonly<Record<string, 'added' | 'modified' | 'deleted'>> = {
  ADDED: 'added',
  MODIFIED: 'modified',
  DELETED: 'deleted',
};

/**
 * One stream of a watch, from `position` on. Fails with `expired` if it cannot be continued from there: after 410, as the answer or in the stream, and after
 * any other ERROR event, because the events that it replaced are lost.
 */
export async function openWatchStream(
  connection: Connection,
  resource: Resource,
  options: WatchOptions,
  position: string,
  stallMs: number,
): Promise<WatchStream> {
  const namespace = resource.namespaced ? options.namespace : undefined;
  const path = collectionPath(resource, options.namespace);
  const rule = {
    verb: 'watch',
    group: resource.group,
    resource: resource.plural,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const query = {
    watch: 1,
    resourceVersion: position,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.round(240 + connection.random() * 240),
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  };
  const stream = await connection.open(
    { method: 'GET', path: withQuery(path, query), rule, signal: options.signal },
    stallMs,
  );
  let ended: 'closed' | 'silent' = 'closed';

  async function* events(): AsyncGenerator<StreamEvent> {
    try {
      for await (const line of lines(stream.body)) {
        const { type, object } = parseEvent(line);
        if (type === 'ERROR') throw expired(object);
        if (!isObject(object)) throw brokenStream();
        const change = kinds[type];
        if (change) yield { type: change, object };
        else if (type === 'BOOKMARK')
          yield { type: 'bookmark', resourceVersion: object.metadata.resourceVersion ?? position };
      }
    } catch (error) {
      if (!isKubeError(error, 'timeout')) throw error;
      ended = 'silent';
    } finally {
      stream.close();
    }
  }

  function expired(object: unknown): KubeError {
    const { redactor, server } = connection.access;
    const error = refusedByStatus({ rule, path, host: server.host }, object, (text) => redactor.redact(text));
    return new KubeError('expired', error.message, error.detail, error);
  }

  return { events: events(), ended: () => ended };
}

function parseEvent(line: string): { type: string; object: unknown } {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch {
    throw brokenStream();
  }
  if (!isRecord(event) || typeof event.type !== 'string') throw brokenStream();
  return { type: event.type, object: event.object };
}

function brokenStream(): KubeError {
  return new KubeError('protocol', 'The watch received something that is not an event of an API server.');
}
