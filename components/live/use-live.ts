'use client';

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Connection } from '#lib/console/wire.ts';
import type { LiveStream } from './live-stream.ts';
import { sharedStream } from './shared-stream.ts';

export type Live<View> = {
  view: View;
  connection: Connection;
  /** Pauses the view; `connection` counts events meanwhile. */
  pause: () => void;
  resume: () => void;
};

/** Follows a URL, starting from the server's view. Renders at most once per frame. */
export function useLive<View extends { revision: number }, Event extends { event: string; data: unknown }>(
  url: string,
  initial: View,
  fold: (view: View, event: Event, id: number | null) => View,
): Live<View> {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a later view of the same address is offered below
  const stream: LiveStream<View> = useMemo(() => sharedStream(url, initial, fold), [url, fold]);
  const first = useMemo(() => ({ view: initial, connection: { kind: 'connecting' } as const }), [initial]);
  const shown = useSyncExternalStore(
    stream.subscribe,
    stream.current,
    useCallback(() => first, [first]),
  );
  useEffect(() => stream.offer(initial), [stream, initial]);
  return { ...shown, pause: stream.pause, resume: stream.resume };
}
