import { isRecord } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, calicoMinorOfOperator, enterpriseRelease, isEnterprise, variantOf } from '#lib/spec/index.ts';
import type { ReleaseFiles } from '../framework/release-files.ts';

const installationId = 'Installation/default';

/** The product after the plan (`variant`, unvalidated) and its source: the answers, then the release's files, then the cluster's Installation. Pure. */
export function plannedVariant(
  facts: Facts,
  choices: Choices,
  { target }: ReleaseFiles,
): { variant: unknown; from: string } {
  if (choices.goal === 'install') {
    const answered = choices.set.variant ?? choices.installation?.variant;
    if (answered !== undefined) return { variant: answered, from: 'The Installation of your answers' };
    if (target !== undefined) return { variant: variantOf(target), from: `The Installation of ${target.source}` };
  }
  const spec = facts.resources.objects[installationId]?.spec;
  return { variant: isRecord(spec) ? spec.variant : undefined, from: installationId };
}

/**
 * Facts and choices with releases of Calico, by which checks decide. Calico Enterprise has its own numbers, so its release is replaced by the minor release
 * of Calico that it is built from, `v3.31`, if that is known; rules that depend on a patch release are then undecided. For an upgrade nothing is replaced,
 * because upgrades of Enterprise are refused.
 */
export function inCalicosTerms(
  facts: Facts,
  choices: Choices,
  files: ReleaseFiles,
): { readonly facts: Facts; readonly choices: Choices } {
  const isEvaluated = choices.goal === 'install' || choices.goal === 'enable';
  if (!isEvaluated || !isEnterprise(plannedVariant(facts, choices, files).variant)) return { facts, choices };
  const { version, operatorVersion } = facts.installation;
  return {
    facts: { ...facts, installation: { ...facts.installation, version: version && lineOf(version, operatorVersion) } },
    choices: { ...choices, release: lineOf(choices.release ?? '', files.target?.operator ?? null) },
  };
}

function lineOf(version: string, operator: string | null): string {
  return `v${enterpriseRelease(version)?.calico ?? calicoMinorOfOperator(operator ?? '') ?? '3'}`;
}
