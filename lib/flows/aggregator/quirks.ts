/** Faults of Calico's own aggregator that clients must cope with. Ours has none of them, except as Goldmane's stand-in in tests. */
export type Quirk = { readonly id: string; readonly does: string; readonly source: string; readonly read: string };

export const quirkTable = [
  {
    id: 'sort-by-type',
    does: 'A list sorted by the type of an end fails.',
    source: 'calico.md §6.3',
    read: '2026-11-23',
  },
  {
    id: 'slow-streams-drop',
    does: 'A stream that is read too slowly loses flows and is told nothing.',
    source: 'calico.md §6.3',
    read: '2026-11-23',
  },
  {
    id: 'hundred-streams',
    does: 'The hundred and first stream is refused.',
    source: 'calico.md §6.3',
    read: '2026-11-23',
  },
  {
    id: 'stream-again',
    does: 'A stream that begins in the past tells its newest buckets twice: once as history, and once as they come.',
    source: 'calico.md §6.4 (clients of v3.31 must dedupe)',
    read: '2026-11-23',
  },
  {
    id: 'past-of-history',
    does: 'A list that begins before the oldest bucket fails; a stream begins without any history.',
    source: 'projectcalico/calico goldmane/pkg/storage/bucket_ring.go',
    read: '2026-11-23',
  },
] as const satisfies readonly Quirk[];

export type QuirkId = (typeof quirkTable)[number]['id'];
export const noQuirks: ReadonlySet<QuirkId> = new Set();
export const goldmaneQuirks: ReadonlySet<QuirkId> = new Set(quirkTable.map(({ id }) => id));
