import type { Change, Store } from '#lib/kube/index.ts';
import { resources } from '#lib/spec/index.ts';

/** Enough for a client that was away for some minutes of a roll-out; the oldest half goes when there are more. */
const mostKept = 10_000;

/** The newest changes of a store: a watch goes on from any of them. */
export type ChangeLog = {
  revision(): number;
  /** What came after a revision, in order; null when not all of it is kept any more. */
  after(revision: number): readonly Change[] | null;
  stop(): void;
};

export async function openChangeLog(store: Pick<Store, 'onChange' | 'list'>): Promise<ChangeLog> {
  const changes: Change[] = [];
  /** Everything after this revision is kept. */
  let since = 0;
  const stop = store.onChange((change) => {
    changes.push(change);
    if (changes.length <= mostKept) return;
    since = changes.splice(0, mostKept / 2).at(-1)?.revision ?? since;
  });
  for await (const { resourceVersion } of store.list(resources.namespaces)) since = Number(resourceVersion);
  return {
    revision: () => changes.at(-1)?.revision ?? since,
    after: (revision) => (revision < since ? null : changes.filter((change) => change.revision > revision)),
    stop,
  };
}
