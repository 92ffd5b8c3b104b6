import { type Clock, isKubeError, type Kube, type KubeError, type KubeObject } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';

export type WatchedKind = {
  resource: Resource;
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
};

export type KindSink = {
  /** The whole set, which replaces what was known. */
  synced(objects: KubeObject[]): void;
  changed(object: KubeObject): void;
  deleted(object: KubeObject): void;
  /** It is not to be had: the kind is not served, or these credentials may not read it. What was known is forgotten. */
  absent(because: KubeError): void;
  /** The API server does not answer; tried again after so many milliseconds. */
  interrupted(because: KubeError, retryInMs: number): void;
  /** Anything at all came. */
  heard(): void;
};

const refusedRetryMs = 60_000;

/** Follows one kind until aborted; a right that is missing may be given later. Rejects where waiting cannot help (`unauthorized`, `credentials`, `invalid`). */
export async function watchKind(
  kube: Kube,
  { resource, ...scope }: WatchedKind,
  sink: KindSink,
  pace: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const event of kube.watch(resource, { ...scope, signal })) {
        if (event.type === 'interrupted') {
          if (isKubeError(event.because, 'not-served')) sink.absent(event.because);
          else sink.interrupted(event.because, event.retryInMs);
          continue;
        }
        sink.heard();
        if (event.type === 'synced') sink.synced(event.objects);
        else if (event.type === 'deleted') sink.deleted(event.object);
        else if (event.type !== 'bookmark') sink.changed(event.object);
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!isKubeError(error, 'forbidden')) throw error;
      sink.absent(error);
    }
    await pace.sleep(refusedRetryMs, signal).catch(() => {});
  }
}
