import { type EmulatedOperator, type Release, releaseOf } from '#lib/operator/index.ts';

/** What samples have installed, unless they show another one. Their statuses are in the words of the public operator of that release. */
export const installed = 'v3.31.4';

export const release = releaseOf(installed);
export const operatorVersion = operatorOf(release);

/** What a sample has installed. */
export function releaseIn({ calico = installed }: { calico?: EmulatedOperator }): Release {
  return releaseOf(calico);
}

/** `v1.40.7` */
export function operatorOf({ operator }: Release): string {
  return `v${operator.join('.')}`;
}
