/**
 * Whether a run in the cluster is ours. `own`: this installation wrote it, up to its last entry, so it may be carried on without a question. Any
 * other run is *foreign*: evidence of what somebody did, never an order (operations.md › The journal and recovery).
 */
export type Provenance = { kind: 'own' } | { kind: 'foreign'; because: ForeignReason };

const foreignReasons = ['not-remembered', 'not-sealed', 'sealed-elsewhere', 'changed', 'older'] as const;
export type ForeignReason = (typeof foreignReasons)[number];

const sentences: Readonly<Record<ForeignReason, string>> = {
  'not-remembered': 'This installation of Signalbox has no record of this run.',
  'not-sealed':
    'The author of this run is not verified: it may be another installation, an earlier version of Signalbox, or anyone who may write ConfigMaps there.',
  'sealed-elsewhere': 'Another installation of Signalbox wrote this run last.',
  changed: 'This run was changed from outside this installation of Signalbox.',
  older: 'An earlier state of this run was put back: the record of this installation is newer.',
};

/** Why a run is foreign, as a whole sentence for lists, reports and refusals. */
export function foreignBecause(because: ForeignReason): string {
  return sentences[because];
}
