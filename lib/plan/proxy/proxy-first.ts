import { cleanupFlagPath, names } from '#lib/spec/index.ts';
import { proveProxy, writeFelix } from '../access/rules.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, write } from '../define-operation.ts';
import { cleanupOff } from '../objects/cleanup-flag.ts';
import { felix } from '../objects/object-refs.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import type { Act } from '../schema/act.ts';
import type { Condition } from '../schema/condition.ts';
import { proxyDurations } from './proxy-off.ts';
import { proxyDaemonSet, proxyIsOff, wasOn } from './proxy-removal.ts';

type Part = { act: Act; done: Condition };

/** Protects the proxy's rules: the flag is false, and no agent still runs with another value. */
export function protectRules(context: PlanContext): Part {
  const { act, done } = write(felix(context), cleanupOff);
  return {
    act,
    done: all(done, { kind: 'agents-restarted', since: { target: felix(context), path: cleanupFlagPath } }),
  };
}

/**
 * The first steps of every way back from eBPF (operations.md › Journeys, 4), whatever this run did to the proxy: somebody may have turned it off
 * since, and without it a node that leaves eBPF has no Services. If there was no proxy before, none is awaited.
 */
export function proxyFirst(context: PlanContext): Part[] {
  const back: Part = { act: { kind: 'wait' }, done: { kind: 'proxy-back', target: proxyDaemonSet(context) } };
  // If eBPF stays on, no agent restarts: a wait for restarted agents would never end, so only the flag is written.
  const rules = wasOn(context) ? write(felix(context), cleanupOff) : protectRules(context);
  return [rules, ...(proxyIsOff(context) ? [] : [back])];
}

/** The permissions for the steps of `proxyFirst`: for FelixConfiguration, and for the proof that kube-proxy is back in kube-system. */
export function proxyFirstNeeds(scope: RuleScope) {
  return [...writeFelix(scope), ...proveProxy(names.systemNamespace)];
}

/** The durations of a way back that begins with `proxyFirst`: at least one second for each agent until the deadline. */
export function proxyFirstDurations(context: PlanContext): { usualSeconds: number; deadlineSeconds: number } {
  const { usualSeconds, deadlineSeconds } = proxyDurations(context);
  return { usualSeconds, deadlineSeconds: Math.max(deadlineSeconds, agentRollout(context).nodes ?? 0) };
}
