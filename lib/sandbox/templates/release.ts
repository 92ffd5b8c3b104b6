import { type EmulatedOperator, type Release, releaseOf, releaseOfImage } from '#lib/operator/index.ts';

/** The Calico release of all samples that name no other. Their statuses have the words of that release's public operator. */
export const installed = 'v3.31.4';

export const release = releaseOf(installed);
export const operatorVersion = operatorOf(release);

/**
 * A release that a sample may have: one that the stand-in operator emulates, or one that is known by its operator's version alone
 * (calico-releases.ts).
 */
export type SampleRelease = EmulatedOperator | keyof typeof operatorOfOthers;
const operatorOfOthers = {
  'v3.32.0': 'operator:v1.42.2',
  'v3.30.4': 'operator:v1.38.7',
  'v3.27.5': 'operator:v1.32.12',
} as const;

/** The Calico release of a sample. */
export function releaseIn({ calico = installed }: { calico?: SampleRelease }): Release {
  if (calico === 'v3.31.4' || calico === 'v3.30.7') return releaseOf(calico);
  const found = releaseOfImage(operatorOfOthers[calico]);
  if (found === null) throw new Error(`no operator is known that installs ${calico}`);
  return found;
}

/** The operator's version as its images are tagged: `v1.40.7`. */
export function operatorOf({ operator }: Release): string {
  return `v${operator.join('.')}`;
}
