import { KubeError } from '#lib/kube/index.ts';
import type { Feed } from './feed.ts';
import type { JoinedFeed } from './shared-feeds.ts';

type Showing<View extends { revision: number }> = {
  readonly feed: Pick<Feed<View, never>, 'view' | 'revision' | 'ended' | 'change'>;
  readonly failure: unknown;
};

const lookEveryMs = 1_000;

/** Resolves with the first view; rejects with what prevents it. */
export async function firstView<View extends { revision: number }>(
  { of, leave }: JoinedFeed<Showing<View>>,
  signal: AbortSignal = new AbortController().signal,
): Promise<View> {
  try {
    for (;;) {
      if (of.feed.view) return { ...of.feed.view, revision: of.feed.revision };
      if (of.failure) throw of.failure;
      if (of.feed.ended) throw new KubeError('not-found', of.feed.ended.message);
      if (signal.aborted) throw new KubeError('aborted', 'Nobody waits for this view any more.');
      await of.feed.change(lookEveryMs, signal);
    }
  } finally {
    leave();
  }
}
