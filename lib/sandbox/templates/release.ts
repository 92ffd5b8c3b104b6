import { type EmulatedOperator, type Release, releaseOf, releaseOfImage } from '#lib/operator/index.ts';

/** What samples have installed, unless they show another one. Their statuses are in the words of the public operator of that release. */
export const installed = 'v3.31.4';

export const release = releaseOf(installed);
export const operatorVersion = operatorOf(release);

/** What a sample may have installed: a release that the stand-in behaves like, or another one of such a line, by its operator (calico-releases.ts). */
export type SampleRelease = EmulatedOperator | keyof typeof operatorOfOthers;
const operatorOfOthers = {
  'v3.32.0': 'operator:v1.42.2',
  'v3.30.4': 'operator:v1.38.7',
  'v3.27.5': 'operator:v1.32.12',
} as const;

/** What a sample has installed. */
export function releaseIn({ calico = installed }: { calico?: SampleRelease }): Release {
  if (calico === 'v3.31.4' || calico === 'v3.30.7') return releaseOf(calico);
  const found = releaseOfImage(operatorOfOthers[calico]);
  if (found === null) throw new Error(`no operator is known that installs ${calico}`);
  return found;
}

/** `v1.40.7` */
export function operatorOf({ operator }: Release): string {
  return `v${operator.join('.')}`;
}
