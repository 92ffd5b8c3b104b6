/** An outcome of the public operator that depends on timing. Tests and `signalbox operator` choose it, so that a run can be repeated. */
type Race = {
  readonly id: string;
  /** What happens when the race is lost, in one sentence. */
  readonly lost: string;
  /** What happens when it is won. */
  readonly won: string;
  /** Where it was recorded: file and seconds. */
  readonly seen: { readonly recording: string; readonly t: number };
  /** `lost`: the race is lost unless `without` names it. `won`: it is won unless `with` names it. */
  readonly usually: 'lost' | 'won';
};

export const raceTable = [
  {
    id: 'switch-reads-old-status',
    lost: 'The gate before bpfEnabled reads the DaemonSet as it was before its own change, so that all nodes flip before the rollout has begun.',
    won: 'The gate meets the newer status, and is asked again only when TigeraStatus changes or after 30 s (automatic-and-stuck-node-3.31.4.jsonl, t=125.71).',
    seen: { recording: 'install-enable-rollback-3.31.4.jsonl', t: 53.68 },
    usually: 'lost',
  },
  {
    id: 'version-flicker',
    lost: 'When calicoVersion first appears, two writers set and unset it for 0.3 s.',
    won: 'It appears once and stays.',
    seen: { recording: 'endpoint-configmap-3.31.4.jsonl', t: 12.42 },
    usually: 'lost',
  },
  {
    id: 'default-status-conflict',
    lost: 'The first write of the status loses against the operator itself: Degraded "Failed to write default status" for 5 s.',
    won: 'The first write of the status succeeds.',
    seen: { recording: 'upgrade-3.30.7-to-3.31.4.jsonl', t: 11.62 },
    usually: 'won',
  },
] as const satisfies readonly Race[];

export type RaceId = (typeof raceTable)[number]['id'];

/** Races in `with` are lost, those in `without` are won, and the others end as usual. */
export type Races = { with?: readonly RaceId[]; without?: readonly RaceId[] };

export function lostRaces(races: Races = {}): ReadonlySet<RaceId> {
  const lost = raceTable.filter(({ id, usually }) =>
    usually === 'lost' ? !races.without?.includes(id) : races.with?.includes(id),
  );
  return new Set(lost.map(({ id }) => id));
}

/** Races by name, separated by commas as flags give them. `unknown`: a word that names no race. */
export function racesNamed(text: string): { ids: RaceId[] } | { unknown: string } {
  const ids: RaceId[] = [];
  for (const word of text.split(',').filter((part) => part !== '')) {
    const row = raceTable.find(({ id }) => id === word);
    if (!row) return { unknown: word };
    ids.push(row.id);
  }
  return { ids };
}
