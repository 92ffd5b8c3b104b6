import { counted } from '#lib/base/words.ts';
import { changesOf, isNeeded, type Plan, type PlannedOperation, stakesOf } from '#lib/plan/index.ts';

/** `6 changes in 13 steps; 2 touch traffic; all can be undone; usually 6 to 8 minutes`. */
export function planSummary(plan: Pick<Plan, 'operations'>): string {
  const { changes, traffic, oneWay } = stakesOf(plan);
  const steps = plan.operations.filter(isNeeded).length;
  return [
    `${counted(changes, 'change')} in ${counted(steps, 'step')}`,
    traffic === 0 ? 'none touches traffic' : `${traffic} ${traffic === 1 ? 'touches' : 'touch'} traffic`,
    oneWay === 0 ? 'all can be undone' : `${oneWay} cannot be undone`,
    `usually ${usualTime(plan)}`,
  ].join('; ');
}

/**
 * From the sum of the usual times to the same without waits that were waited for before: such a wait is as a rule over at once.
 * In minutes, and in seconds below two of them.
 */
export function usualTime({ operations }: Pick<Plan, 'operations'>): string {
  const needed = operations.filter(isNeeded);
  const seconds = (some: PlannedOperation[]) => some.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0);
  const most = seconds(needed);
  const least = seconds(needed.filter(({ id }, index) => needed.findIndex((one) => one.id === id) === index));
  if (most < 120) return `${Math.ceil(most / 10) * 10} seconds`;
  const [from, to] = [Math.max(1, Math.round(least / 60)), Math.ceil(most / 60)];
  return from === to ? `${to} minutes` : `${from} to ${to} minutes`;
}

/** What the button does, in its own words: "Switch 14 nodes to eBPF". */
export function startWords(plan: Pick<Plan, 'operations'>): string {
  const changes = changesOf(plan);
  if (changes.some(({ id }) => id === 'custom-resources')) return 'Install Calico';
  const main = changes.find(({ id }) => id.startsWith('switch.')) ?? (changes.length === 1 ? changes[0] : undefined);
  return main?.title ?? `Make ${counted(changes.length, 'change')}`;
}
