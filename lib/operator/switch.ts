import { type KubeObject, rolloutCounts } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { memberAt } from './difference.ts';
import type { RaceId } from './races.ts';

export type SwitchFacts = {
  wantsBpf: boolean;
  /** Null: there is no FelixConfiguration yet. */
  felix: KubeObject | null;
  /** calico-node when this reconcile began, before its own change. Null: it did not exist. */
  before: KubeObject | null;
  /** calico-node as the API server has it now. Null: it does not exist yet. */
  now: KubeObject | null;
};

export type SwitchDecision =
  | { kind: 'as-it-is' }
  | { kind: 'write'; bpfEnabled: boolean }
  | { kind: 'refused'; sentence: string };

export function bpfEnabledOf(felix: KubeObject | null): boolean | undefined {
  const value = memberAt(felix, 'spec', 'bpfEnabled');
  return typeof value === 'boolean' ? value : undefined;
}

const annotationOf = (felix: KubeObject | null) => felix?.metadata.annotations?.[names.bpfEnabledAnnotation];

/** Whether only the operator wrote the field: annotation and field are both absent, or equal (calico.md §3.5). */
function ours(felix: KubeObject | null): boolean {
  const field = bpfEnabledOf(felix);
  return annotationOf(felix) === (field === undefined ? undefined : String(field));
}

/** Decides when FelixConfiguration.spec.bpfEnabled changes. This one field moves all nodes at once. */
export function decideSwitch(facts: SwitchFacts, lostRaces: ReadonlySet<RaceId>): SwitchDecision {
  const { felix, wantsBpf, before, now } = facts;
  const field = bpfEnabledOf(felix);
  if (!ours(felix)) {
    return {
      kind: 'refused',
      sentence: `Unable to set bpfEnabled: FelixConfiguration "default" has been modified by someone else, refusing to override potential user configuration.`,
    };
  }
  if (field === wantsBpf) return { kind: 'as-it-is' };
  const mayWrite = wantsBpf
    ? // A fresh installation turns it on before the DaemonSet exists (automatic-and-stuck-node-3.31.4.jsonl, t=6.16).
      before === null || isRolledOut(lostRaces.has('switch-reads-old-status') ? before : now)
    : // Turning off comes at once, with or without kube-proxy (install-enable-rollback-3.31.4.jsonl, t=144.48). A fresh standard
      // installation gets its `false` once the agents run (endpoint-configmap-3.31.4.jsonl, t=11.92).
      field !== undefined || isRolledOut(before);
  return mayWrite ? { kind: 'write', bpfEnabled: wantsBpf } : { kind: 'as-it-is' };
}

function isRolledOut(agents: KubeObject | null): boolean {
  return agents !== null && rolloutCounts(agents).complete;
}
