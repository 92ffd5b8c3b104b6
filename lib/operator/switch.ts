import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { at } from './difference.ts';
import type { Quirks } from './quirks.ts';
import { rolledOut, serves } from './rollout.ts';

export type SwitchFacts = {
  wantsBpf: boolean;
  /** Null: no FelixConfiguration yet. */
  felix: KubeObject | null;
  /** calico-node as it was when this reconcile began, before its own change; null = it did not exist. */
  before: KubeObject | null;
  /** calico-node as the API server has it now; null = still not made. */
  now: KubeObject | null;
  /** kube-proxy's DaemonSet, null where there is none. */
  proxy: KubeObject | null;
};

export type SwitchDecision =
  | { kind: 'as-it-is' }
  | { kind: 'write'; bpfEnabled: boolean }
  | { kind: 'wait'; reason: string }
  | { kind: 'refused'; sentence: string };

export function bpfEnabledOf(felix: KubeObject | null): boolean | undefined {
  const value = at(felix, 'spec', 'bpfEnabled');
  return typeof value === 'boolean' ? value : undefined;
}

const annotationOf = (felix: KubeObject | null) => felix?.metadata.annotations?.[names.bpfEnabledAnnotation];

/** Annotation and field are both absent, or equal: nobody but the operator wrote the field (calico.md §3.5). */
function ours(felix: KubeObject | null): boolean {
  const field = bpfEnabledOf(felix);
  return annotationOf(felix) === (field === undefined ? undefined : String(field));
}

/** When FelixConfiguration.spec.bpfEnabled changes: the one decision that moves every node at once. */
export function decideSwitch(facts: SwitchFacts, quirks: Quirks): SwitchDecision {
  const field = bpfEnabledOf(facts.felix);
  if (!ours(facts.felix)) {
    return {
      kind: 'refused',
      sentence: `Unable to set bpfEnabled: FelixConfiguration "default" has been modified by someone else, refusing to override potential user configuration.`,
    };
  }
  if (field === facts.wantsBpf) return { kind: 'as-it-is' };
  return facts.wantsBpf ? on(facts, quirks) : off(facts, field, quirks);
}

function on(facts: SwitchFacts, quirks: Quirks): SwitchDecision {
  if (facts.before === null && quirks.has('bpf-before-first-agent')) return { kind: 'write', bpfEnabled: true };
  const judged = quirks.has('switch-reads-old-status') ? facts.before : facts.now;
  if (judged && rolledOut(judged)) return { kind: 'write', bpfEnabled: true };
  return { kind: 'wait', reason: 'eBPF is switched on when every node runs the new calico-node' };
}

function off(facts: SwitchFacts, field: boolean | undefined, quirks: Quirks): SwitchDecision {
  if (field === undefined) {
    // A fresh standard installation: the public one writes `false` once the agents run (endpoint-configmap-3.31.4.jsonl, t=11.92).
    const later = quirks.has('bpf-before-first-agent') && !(facts.before && rolledOut(facts.before));
    return later ? { kind: 'as-it-is' } : { kind: 'write', bpfEnabled: false };
  }
  if (quirks.has('bpf-off-before-proxy-is-back') || facts.proxy === null || serves(facts.proxy))
    return { kind: 'write', bpfEnabled: false };
  return { kind: 'wait', reason: 'eBPF is switched off when kube-proxy is ready on every node' };
}
