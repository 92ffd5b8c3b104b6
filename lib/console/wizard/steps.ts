import type { Goal } from '#lib/spec/index.ts';
import type { Draft } from '../host.ts';
import { type Answers, type StepId, stepIds } from './answers.ts';

/** A step as the list at the left and the page's heading name it. */
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

/** Where another question is asked than for *enable*. */
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

/** Files come with an installation and an upgrade alone, custom resources with the first; what follows is what a new release would lose, and what may follow it. */
const notOfEnable: ReadonlySet<StepId> = new Set(['release', 'resources', 'changes', 'afterwards']);

/** Another release of what runs: everything else stays as it was chosen then. */
const ofUpgrade: ReadonlySet<StepId> = new Set([
  'goal',
  'release',
  'changes',
  'afterwards',
  'compatibility',
  'review',
  'run',
]);

/** Out of an outage nothing is asked: what is broken decides it. */
const ofRestore: ReadonlySet<StepId> = new Set(['goal', 'compatibility', 'review', 'run']);
/** It was chosen where its policy was suggested. */
const ofPolicy: ReadonlySet<StepId> = new Set(['compatibility', 'review', 'run']);

/** Answers on which it depends what else is asked. */
type Asked = { readonly goal: Goal } & Partial<Pick<Answers, 'dataplane' | 'endpoint' | 'automatic'>>;

/** Nobody needs an address without eBPF, and the proxy stays; what was chosen there all the same can be changed: plans refuse automatic mode. */
const onlyEbpf: ReadonlySet<StepId> = new Set(['endpoint', 'proxy']);

/** In the order in which they are asked (ui.md › Frame). */
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

/** The order of what a goal may ask, whatever was answered; that of all steps if one of `steps` is not among them. */
function orderAround(goal: Goal, ...steps: readonly StepId[]): readonly StepId[] {
  return goal === 'install' && steps.every((step) => ofInstall.includes(step)) ? ofInstall : stepIds;
}

export function stepsOf(answers: Asked): readonly Step[] {
  return stepIdsOf(answers).map((id) => stepText(id, answers.goal));
}

export function stepOf(text: string): StepId | null {
  return stepIds.find((id) => id === text) ?? null;
}

/** Without a goal: in the words of *enable*; names are the same for all. */
export function stepText(id: StepId, goal: Goal = 'enable'): Step {
  return { id, ...texts[id], ...otherTexts[goal]?.[id] };
}

/** The first step that was not continued from yet. */
function openStep(answers: Asked, answered: readonly StepId[]): StepId {
  return stepIdsOf(answers).find((id) => !answered.includes(id)) ?? 'review';
}

/**
 * The step before and the one after, in the order of asking; null at the ends. Also of a step that is not asked (any more): its own answer may have
 * decided that, and a bookmark leads there.
 */
export function neighbours(id: StepId, answers: Asked): { back: StepId | null; next: StepId | null } {
  const asked = stepIdsOf(answers);
  const order = orderAround(answers.goal, id);
  const at = order.indexOf(id);
  return {
    back: asked.findLast((one) => order.indexOf(one) < at) ?? null,
    next: asked.find((one) => order.indexOf(one) > at) ?? null,
  };
}

/**
 * Where a draft goes on: one whose proposals are accepted at the page *Ready to …*, or, where its goal has no such page, at the review; one that is gone
 * through step by step at its first unanswered step.
 */
export function draftPath(draft: Pick<Draft, 'cluster' | 'id' | 'answers' | 'answered'>): string {
  const { cluster, id } = draft;
  return isOnReadyPage(draft) ? readyPath(cluster, id) : stepPath(cluster, id, nextStep(draft));
}

/** The page of `draftPath` by its name. */
export function draftPlace(draft: Pick<Draft, 'answers' | 'answered'>): string {
  return isOnReadyPage(draft) ? 'all on one page' : stepText(nextStep(draft), draft.answers.goal).name;
}

/** Only who goes *Step by step* answers the goal, which the page *Ready to …* has no *Change* for. */
function isStepByStep({ answered }: Pick<Draft, 'answered'>): boolean {
  return answered.includes('goal');
}

/** Its questions stand on the page *Ready to …*, and it goes on there. */
export function isOnReadyPage(draft: Pick<Draft, 'answers' | 'answered'>): boolean {
  return hasReadyPage(draft.answers) && !isStepByStep(draft);
}

function nextStep(draft: Pick<Draft, 'answers' | 'answered'>): StepId {
  return draft.answers.acceptProposals && !isStepByStep(draft) ? 'review' : openStep(draft.answers, draft.answered);
}

/** Out of an outage, and of a policy that was suggested, nothing is asked: nothing that the page shows could be changed. */
export function hasReadyPage({ goal, acceptProposals }: Pick<Answers, 'goal' | 'acceptProposals'>): boolean {
  return acceptProposals && goal !== 'restore' && goal !== 'policy';
}

/** The page that has everything a healthy cluster needs: *Ready to switch*, *Ready to install*. */
export function readyPath(cluster: string, draft: string): string {
  return `/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(draft)}/ready`;
}

/** A step that is opened from that page, and leads back to it. */
export function changePath(cluster: string, draft: string, step: StepId): string {
  return `${stepPath(cluster, draft, step)}?from=ready`;
}

/** `run` is the id of a draft, or of the run that it became. */
export function stepPath(cluster: string, run: string, step: StepId): string {
  return `/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/${step}`;
}
