import { releaseOf } from '#lib/operator/index.ts';

/** What samples have installed. Their statuses are in the words of the public operator of that release. */
export const installed = 'v3.31.4';

export const release = releaseOf(installed);
export const operatorVersion = `v${release.operator.join('.')}`;
