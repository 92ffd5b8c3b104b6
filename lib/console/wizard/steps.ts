import type { Goal } from '#lib/spec/index.ts';
import type { Draft } from '../host.ts';
import { type Answers, type StepId, stepIds } from './answers.ts';

/** A step with its name in the list and its question in the heading. */
export type Step = { readonly id: StepId; readonly name: string; readonly question: string };

const texts: Readonly<Record<StepId, Omit<Step, 'id'>>> = {
  goal: { name: 'Goal', question: 'Choose the goal' },
  platform: { name: 'Platform', question: 'What does this cluster run on?' },
  endpoint: { name: 'API endpoint', question: 'Which address reaches the API server from every node?' },
  proxy: { name: 'Service proxy', question: 'Turn the service proxy off?' },
  release: { name: 'Release', question: 'Choose the Calico release' },
  resources: { name: 'Custom resources', question: 'How should Calico be set up?' },
  options: { name: 'Data plane options', question: 'How should eBPF carry traffic?' },
  changes: { name: 'What changes', question: 'Keep or replace your changes' },
  afterwards: { name: 'Afterwards', question: 'Optional steps after the upgrade' },
  compatibility: { name: 'Compatibility', question: 'Can this cluster run eBPF?' },
  review: { name: 'Review', question: 'Review the plan' },
  run: { name: 'Run', question: 'How is it going?' },
};

/** Texts that differ from those of *enable*, by goal. */
const otherTexts: Partial<Record<Goal, Partial<Readonly<Record<StepId, Partial<Omit<Step, 'id'>>>>>>> = {
  install: {
    options: { question: 'Which data plane, and how should it carry traffic?' },
    compatibility: { question: 'Can Calico be installed here?' },
  },
  upgrade: {
    release: { question: 'Choose the new release' },
    compatibility: { question: 'Can this cluster be upgraded?' },
  },
  restore: { compatibility: { question: 'Can kube-proxy be restored?' } },
  policy: { compatibility: { question: 'Can the policy be made?' } },
};

/** A new installation: the address and the proxy depend on the data plane, automatic mode on the release, and the custom resources show all of them. */
const ofInstall: readonly StepId[] = [
  'goal',
  'platform',
  'release',
  'options',
  'endpoint',
  'proxy',
  'resources',
  'compatibility',
  'review',
  'run',
];

/** Steps of an installation (`release`, `resources`) and of an upgrade (`release`, `changes`, `afterwards`) only. */
const notOfEnable: ReadonlySet<StepId> = new Set(['release', 'resources', 'changes', 'afterwards']);

/** An upgrade changes only the release; earlier choices stay. */
const ofUpgrade: ReadonlySet<StepId> = new Set([
  'goal',
  'release',
  'changes',
  'afterwards',
  'compatibility',
  'review',
  'run',
]);

/** *restore* asks nothing, because what is broken decides it. */
const ofRestore: ReadonlySet<StepId> = new Set(['goal', 'compatibility', 'review', 'run']);
/** *policy*: chosen where the policy was suggested. */
const ofPolicy: ReadonlySet<StepId> = new Set(['compatibility', 'review', 'run']);

/** Answers that decide which steps are asked. */
type Asked = { readonly goal: Goal } & Partial<Pick<Answers, 'dataplane' | 'endpoint' | 'automatic'>>;

/** Steps only for eBPF: without it no address is needed and the proxy stays. They are still asked if an answer there must be changed, because plans refuse automatic mode. */
const onlyEbpf: ReadonlySet<StepId> = new Set(['endpoint', 'proxy']);

/** The steps in the order of asking (ui.md › Frame). */
export function stepIdsOf({ goal, dataplane, endpoint, automatic }: Asked): readonly StepId[] {
  if (goal === 'install' && dataplane === 'Iptables' && endpoint === undefined && !automatic)
    return ofInstall.filter((id) => !onlyEbpf.has(id));
  if (goal === 'install') return ofInstall;
  if (goal === 'restore') return stepIds.filter((id) => ofRestore.has(id));
  if (goal === 'policy') return stepIds.filter((id) => ofPolicy.has(id));
  if (goal === 'upgrade') return stepIds.filter((id) => ofUpgrade.has(id));
  return stepIds.filter((id) => !notOfEnable.has(id));
}

/** Whether `step` comes no later than `now` in the order of questions. Both may be steps that the goal does not ask. */
export function isAskedBy(step: StepId, now: StepId, { goal }: Pick<Asked, 'goal'>): boolean {
  const order = orderAround(goal, step, now);
  return order.indexOf(step) <= order.indexOf(now);
}

/** All steps that a goal may ask, in order; all steps of all goals if one of `steps` is not among them. */
function orderAround(goal: Goal, ...steps: readonly StepId[]): readonly StepId[] {
  return goal === 'install' && steps.every((step) => ofInstall.includes(step)) ? ofInstall : stepIds;
}

export function stepsOf(answers: Asked): readonly Step[] {
  return stepIdsOf(answers).map((id) => stepText(id, answers.goal));
}

export function stepOf(text: string): StepId | null {
  return stepIds.find((id) => id === text) ?? null;
}

/** The texts of a step; by default those of *enable*. Names are the same for all goals. */
export function stepText(id: StepId, goal: Goal = 'enable'): Step {
  return { id, ...texts[id], ...otherTexts[goal]?.[id] };
}

/** The first step that was not submitted yet. */
function openStep(answers: Asked, answered: readonly StepId[]): StepId {
  return stepIdsOf(answers).find((id) => !answered.includes(id)) ?? 'review';
}

/**
 * The previous and the next step in the order of asking; null at the ends. Also for a step that is not asked (any more), because its own answer may have
 * decided that, or a bookmark opened it.
 */
export function neighbours(id: StepId, answers: Asked): { back: StepId | null; next: StepId | null } {
  const ids = stepIdsOf(answers);
  const order = orderAround(answers.goal, id);
  const at = order.indexOf(id);
  return {
    back: ids.findLast((one) => order.indexOf(one) < at) ?? null,
    next: ids.find((one) => order.indexOf(one) > at) ?? null,
  };
}

/**
 * The page where a draft continues: with accepted proposals the page *Ready to …*, or the review if the goal has no such page; step by step, the first
 * unanswered step.
 */
export function draftPath(draft: Pick<Draft, 'cluster' | 'id' | 'answers' | 'answered'>): string {
  const { cluster, id } = draft;
  return isOnReadyPage(draft) ? readyPath(cluster, id) : stepPath(cluster, id, nextStep(draft));
}

/** The name of the page of `draftPath`, for a draft that is answered step by step. */
export function draftPageName(draft: Pick<Draft, 'answers' | 'answered'>): string {
  return stepText(nextStep(draft), draft.answers.goal).name;
}

/** Whether the goal was submitted, which only *Step by step* does: the page *Ready to …* has no *Change* for it. */
function isStepByStep({ answered }: Pick<Draft, 'answered'>): boolean {
  return answered.includes('goal');
}

/** Whether the draft's questions are on the page *Ready to …*. */
export function isOnReadyPage(draft: Pick<Draft, 'answers' | 'answered'>): boolean {
  return hasReadyPage(draft.answers) && !isStepByStep(draft);
}

function nextStep(draft: Pick<Draft, 'answers' | 'answered'>): StepId {
  return draft.answers.acceptProposals && !isStepByStep(draft) ? 'review' : openStep(draft.answers, draft.answered);
}

/** False for *restore* and *policy*, which ask nothing that the page could change. */
export function hasReadyPage({ goal, acceptProposals }: Pick<Answers, 'goal' | 'acceptProposals'>): boolean {
  return acceptProposals && goal !== 'restore' && goal !== 'policy';
}

/** The path of the page *Ready to switch*, *Ready to install* and so on. */
export function readyPath(cluster: string, draft: string): string {
  return `/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(draft)}/ready`;
}

/** The path of a step that is opened from that page and returns to it. */
export function changePath(cluster: string, draft: string, step: StepId): string {
  return `${stepPath(cluster, draft, step)}?from=ready`;
}

/** `run` is the id of a draft, or of the run that it became. */
export function stepPath(cluster: string, run: string, step: StepId): string {
  return `/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/${step}`;
}
