import { stepStates } from '../../step-state.ts';
import type { WizardContext } from '../../wizard-context.ts';
import type { Row } from './found-row.ts';

/** What people set, and what becomes of it: the one thing of an upgrade that no reading decides. */
export function changesRow(context: WizardContext): Row | null {
  const { changes } = context;
  if (changes === null) return null;
  const sources = {
    manifest: changes.kind === 'manifest' ? changes.file : '',
    helm: 'Helm’s own record',
    operator: 'Deployment tigera-operator',
  };
  return {
    what: 'Your changes',
    value: stepStates(context.draft, context).find(({ id }) => id === 'changes')?.says ?? '',
    source: sources[changes.kind],
    change: 'changes',
    checks: ['upgrade.manual-changes'],
  };
}

/** Nothing of it is assumed: it stands here so that one finds it. */
export function afterwardsRow({ afterwards }: WizardContext): Row | null {
  if (afterwards === null) return null;
  const chosen = afterwards.offers.filter(({ isAsked }) => isAsked).map(({ title }) => title);
  const possible = afterwards.offers.filter(({ cannot }) => cannot === null).length;
  return {
    what: 'Afterwards',
    value: chosen.join('; ') || (possible === 0 ? 'nothing to do here' : `nothing; ${possible} possible`),
    source: 'your choice',
    change: 'afterwards',
    checks: [],
  };
}
