import type { Change, Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** Enough for a client that was away for some minutes of a rollout. When there are more, the oldest half is dropped. */
const mostChanges = 10_000;

/** The newest changes of a store, from any of which a watch can continue. */
export type ChangeLog = {
  revision(): number;
  /** The changes after a revision, in order; null if some of them were dropped. */
  after(revision: number): readonly Change[] | null;
  stop(): void;
};

export async function openChangeLog(store: Pick<Store, 'onChange' | 'list'>): Promise<ChangeLog> {
  const changes: Change[] = [];
  /** All changes after this revision are kept. */
  let since = 0;
  const stop = store.onChange((change) => {
    changes.push(change);
    if (changes.length <= mostChanges) return;
    since = changes.splice(0, mostChanges / 2).at(-1)?.revision ?? since;
  });
  for await (const { resourceVersion } of store.list(resources.namespaces)) since = Number(resourceVersion);
  return {
    revision: () => changes.at(-1)?.revision ?? since,
    after: (revision) => (revision < since ? null : changes.filter((change) => change.revision > revision)),
    stop,
  };
}
