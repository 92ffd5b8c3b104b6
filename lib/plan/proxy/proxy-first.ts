import { cleanupFlagPath, names } from '#lib/spec/index.ts';
import { proveProxy, writeFelix } from '../access/rules.ts';
import type { Act, Condition } from '../act.ts';
import { agentRollout } from '../agent-rollout.ts';
import { all, write } from '../define-operation.ts';
import { cleanupOff } from '../objects/cleanup-flag.ts';
import { felix } from '../objects/object-refs.ts';
import type { PlanContext, RuleScope } from '../operation.ts';
import { proxyDurations } from './proxy-off.ts';
import { proxyDaemonSet, proxyIsOff, wasOn } from './proxy-removal.ts';

type Part = { act: Act; done: Condition };

/** The proxy's rules are safe: the flag is false, and no agent runs that was started with another value. */
export function protectRules(context: PlanContext): Part {
  const { act, done } = write(felix(context), cleanupOff);
  return {
    act,
    done: all(done, { kind: 'agents-restarted', since: { target: felix(context), path: cleanupFlagPath } }),
  };
}

/**
 * What stands before every way back to the standard data plane (operations.md › Journeys, 4), whatever this run did to the proxy: somebody
 * may have turned it off since, and without it a node that leaves eBPF has no services. Where there was no proxy before, none is waited for.
 */
export function proxyFirst(context: PlanContext): Part[] {
  const back: Part = { act: { kind: 'wait' }, done: { kind: 'proxy-back', target: proxyDaemonSet(context) } };
  // Where eBPF stays on no agent starts again, and the operator's mark was written since: nothing would show what is asked.
  const rules = wasOn(context) ? write(felix(context), cleanupOff) : protectRules(context);
  return [rules, ...(proxyIsOff(context) ? [] : [back])];
}

export function proxyFirstNeeds(scope: RuleScope) {
  return [...writeFelix(scope), ...proveProxy(names.systemNamespace)];
}

export function proxyFirstDurations(context: PlanContext): { usualSeconds: number; deadlineSeconds: number } {
  const { usualSeconds, deadlineSeconds } = proxyDurations(context);
  return { usualSeconds, deadlineSeconds: Math.max(deadlineSeconds, agentRollout(context).nodes) };
}
