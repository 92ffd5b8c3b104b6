import { type StepId, stepIds } from './answers.ts';

/** A step as the list at the left and the page's heading name it. */
export type Step = { readonly id: StepId; readonly name: string; readonly question: string };

const texts: Readonly<Record<StepId, Omit<Step, 'id'>>> = {
  goal: { name: 'Goal', question: 'What should happen to this cluster?' },
  platform: { name: 'Platform', question: 'What does this cluster run on?' },
  endpoint: { name: 'API endpoint', question: 'At which address does every node reach the API server?' },
  proxy: { name: 'Service proxy', question: 'What becomes of the service proxy?' },
  options: { name: 'Data plane options', question: 'How should eBPF carry traffic?' },
  compatibility: { name: 'Compatibility', question: 'Can this cluster run eBPF?' },
  review: { name: 'Review', question: 'What exactly will change?' },
  run: { name: 'Run', question: 'How is it going?' },
};

/** In the order in which they are asked (ui.md › Frame). */
export const steps: readonly Step[] = stepIds.map((id) => ({ id, ...texts[id] }));

export function stepOf(text: string): StepId | null {
  return stepIds.find((id) => id === text) ?? null;
}

export function stepText(id: StepId): Step {
  return { id, ...texts[id] };
}

/** The step before and the one after, in the order of asking; null at the ends. */
export function neighbours(id: StepId): { back: StepId | null; next: StepId | null } {
  const at = stepIds.indexOf(id);
  return { back: stepIds[at - 1] ?? null, next: stepIds[at + 1] ?? null };
}

/** `run` is the id of a draft, or of the run that it became. */
export function stepPath(cluster: string, run: string, step: StepId): string {
  return `/clusters/${encodeURIComponent(cluster)}/runs/${encodeURIComponent(run)}/${step}`;
}
