import type { Finding } from '#lib/checks/index.ts';
import type { StepId, WizardContext } from '#lib/console/wizard/index.ts';

/** A finding as a question that is answered with one press. `reason` is recorded with the run. */
export type Question = {
  asks: string;
  because: string;
  yes: { words: string; reason: string };
  no: { words: string; step: StepId };
};

const questions: Readonly<Record<string, (context: WizardContext) => Question | null>> = {
  'endpoint.stable': ({ endpoint }) =>
    endpoint && {
      asks: `Does ${endpoint.host} stay when an API server is replaced?`,
      because:
        'A load balancer or DNS name does. The address of a single machine does not: every node would lose the API server at the same moment.',
      yes: { words: 'It stays', reason: `${endpoint.host} stays when an API server is replaced.` },
      no: { words: 'It does not', step: 'endpoint' },
    },
};

/** Null: the finding has no question of its own; the page shows the finding, and the user writes a reason. */
export function questionOf({ id }: Pick<Finding, 'id'>, context: WizardContext): Question | null {
  return questions[id]?.(context) ?? null;
}
