import { agreeing, counted, duration, inList } from '#lib/base/words.ts';
import { changesOf, isNeeded, type Plan, type PlannedOperation, stakesOf, touchesTraffic } from '#lib/plan/index.ts';

/** `9 of 14 steps write to 7 objects.` and `2 steps touch traffic, about 6 minutes, everything can be undone.` */
export function planSummary(plan: Pick<Plan, 'operations'>): { lead: string; rest: string } {
  const { changes, traffic, oneWay } = stakesOf(plan);
  const objects = new Set(changesOf(plan).flatMap(({ targets }) => targets)).size;
  return {
    lead: `${changes} of ${stepsOfPlan(plan.operations)} ${agreeing(changes, 'writes', 'write')} to ${counted(objects, 'object')}.`,
    rest: `${trafficWords(traffic)}, about ${usualTime(plan)}, ${oneWay === 0 ? 'everything can be undone' : `${oneWay} cannot be undone`}.`,
  };
}

/** The number of steps, as they are numbered: `14 steps`, `14 steps (1 done already)`. */
function stepsOfPlan(operations: readonly Pick<PlannedOperation, 'status'>[]): string {
  const done = operations.filter((operation) => !isNeeded(operation)).length;
  return `${counted(operations.length, 'step')}${done === 0 ? '' : ` (${done} done already)`}`;
}

function trafficWords(steps: number): string {
  return steps === 0
    ? 'No step touches traffic'
    : `${counted(steps, 'step')} ${agreeing(steps, 'touches', 'touch')} traffic`;
}

/** The summary of a group: `5 changes, none touches traffic · about 3 min`; `reads only · 20 s`. */
export function groupSummary(operations: readonly PlannedOperation[]): string {
  const plan = { operations: [...operations] };
  const { changes } = stakesOf(plan);
  const touching = operations.filter(touchesTraffic).map(({ seq }) => `${seq}`);
  const needed = operations.filter(isNeeded);
  if (needed.length === 0) return 'already done';
  const stakes =
    touching.length > 0
      ? `touches traffic: ${agreeing(touching.length, 'step', 'steps')} ${inList(touching, touching.length)}`
      : changes > 0
        ? `${counted(changes, 'change')}, none touches traffic`
        : needed.some(({ act }) => act.kind === 'journal')
          ? 'journal only'
          : 'reads only';
  return `${stakes} · ${duration(needed.reduce((sum, { usualSeconds }) => sum + usualSeconds, 0))}`;
}

/**
 * The usual time of the steps still needed, as a range in minutes, or in seconds below two minutes.
 * Its lower end counts steps with the same id once: a repeated wait is usually over at once.
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

/** Short words for titles with names of any length, which do not fit on a button on a telephone. */
const shortWords: Readonly<Record<string, string>> = {
  'policy.stage': 'Make the staged policy',
  'policy.enforce': 'Make the policy that will deny',
};

/** The words of the start button: "Switch 14 nodes to eBPF". */
export function startWords(plan: Pick<Plan, 'operations'>): string {
  const changes = changesOf(plan);
  if (changes.some(({ id }) => id === 'custom-resources')) return 'Install Calico';
  const last = plan.operations.findLast(({ done }) => done.kind === 'upgraded')?.done;
  if (last?.kind === 'upgraded') return `Upgrade to Calico ${last.version}`;
  const main = changes.find(({ id }) => id.startsWith('switch.')) ?? (changes.length === 1 ? changes[0] : undefined);
  if (main !== undefined && Object.hasOwn(shortWords, main.id)) return shortWords[main.id] ?? main.title;
  return main?.title ?? `Make ${counted(changes.length, 'change')}`;
}
