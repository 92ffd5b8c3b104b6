import type { Afterwards } from '#lib/spec/index.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';

/** What follows an upgrade is offered, and done only where somebody asked for it. */
export function isAskedFor(what: Afterwards, { choices }: Pick<PlanContext, 'choices'>): boolean {
  return choices.goal === 'upgrade' && choices.afterwards?.includes(what) === true;
}

/** Throws PlanError for what cannot follow here. */
export function refuseAfterwards({ facts, choices }: Pick<PlanContext, 'facts' | 'choices'>): void {
  const { afterwards = [] } = choices;
  if (afterwards.length === 0) return;
  const refused = (because: string) => new PlanError('choices.afterwards', `afterwards: ${because}`, ['afterwards']);
  if (choices.goal !== 'upgrade') throw refused(`${afterwards.join(', ')} follows an upgrade, and no ${choices.goal}.`);
  const { method } = facts.installation;
  if (method === 'manifest-etcd')
    throw refused(
      `${afterwards.join(', ')} changes what Calico keeps in etcd, which is never written from here; calicoctl of the new release does it.`,
    );
}
