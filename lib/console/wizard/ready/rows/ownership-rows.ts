import { withoutStop } from '#lib/base/words.ts';
import type { WizardContext } from '../../wizard-context.ts';
import type { Row } from './found-row.ts';

const owners: readonly { id: string; none: string; fail: string; unknown: string }[] = [
  {
    id: 'managed-by.reconciler',
    none: 'no Flux or Argo CD sets these fields',
    fail: 'another tool sets these fields',
    unknown: 'not verified whether another tool sets these fields',
  },
  {
    id: 'managed-by.helm',
    none: 'no Helm release sets these fields',
    fail: 'a Helm release owns them',
    unknown: 'not verified what a Helm release sets',
  },
];

export function ownersRow({ findings }: WizardContext): Row {
  const phrases = owners.flatMap(({ id, none, fail, unknown }) => {
    const finding = findings.findings.find((one) => one.id === id);
    if (finding === undefined) return [];
    // A pass with evidence found a tool, which is paused or keeps what the plan wants.
    const pass = finding.evidence.length === 0 ? none : inSentence(finding.because);
    return { pass, fail, unknown, skipped: inSentence(finding.because) }[finding.status];
  });
  const isNone = owners.every(({ none }) => phrases.includes(none));
  return {
    what: 'Owners',
    value: isNone ? 'no Flux, Argo CD or Helm release sets these fields' : phrases.join('; ') || 'not looked at',
    source: 'managedFields',
    change: null,
    checks: owners.map(({ id }) => id),
  };
}

/** `Paused: Flux.` → `paused: Flux` */
function inSentence(because: string): string {
  return `${because.charAt(0).toLowerCase()}${withoutStop(because.slice(1))}`;
}

export function rightsRow({ facts: { resources } }: WizardContext): Row {
  const allowed = resources.access.filter((rule) => rule.allowed).length;
  return {
    what: 'Rights',
    value:
      allowed === resources.access.length
        ? 'this account may make every change of the plan'
        : 'not every change is allowed',
    source: 'access reviews',
    change: null,
    checks: ['permissions.plan'],
  };
}
