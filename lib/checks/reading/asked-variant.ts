import { isRecord } from '#lib/base/records.ts';
import type { Facts } from '#lib/facts/index.ts';
import { type Choices, calicoMinorOfOperator, enterpriseRelease, isEnterprise, variantOf } from '#lib/spec/index.ts';
import type { ReleaseFiles } from '../framework/release-files.ts';

const installationId = 'Installation/default';

/** Which product is asked for, and where: the answers come before the files of the release, and those before what is on the cluster. */
export function askedVariant(
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
 * What checks judge by: releases of Calico. Those of Calico Enterprise count on their own, so in their place stands the line of Calico that they are
 * built from, `v3.31`, as far as it is known: what depends on a patch is then undecided. An upgrade of Enterprise is refused as it is.
 */
export function inCalicosTerms(
  facts: Facts,
  choices: Choices,
  files: ReleaseFiles,
): { readonly facts: Facts; readonly choices: Choices } {
  const isJudged = choices.goal === 'install' || choices.goal === 'enable';
  if (!isJudged || !isEnterprise(askedVariant(facts, choices, files).variant)) return { facts, choices };
  const { version, operatorVersion } = facts.installation;
  return {
    facts: { ...facts, installation: { ...facts.installation, version: version && lineOf(version, operatorVersion) } },
    choices: { ...choices, release: lineOf(choices.release ?? '', files.target?.operator ?? null) },
  };
}

function lineOf(version: string, operator: string | null): string {
  return `v${enterpriseRelease(version)?.calico ?? calicoMinorOfOperator(operator ?? '') ?? '3'}`;
}
