import { quirksOf, releaseOf } from '#lib/operator/index.ts';

/** What samples have installed. Their statuses are in the words of the public operator of that release. */
const installed = 'v3.31.4';

export const release = releaseOf(installed);
export const quirks = quirksOf(installed);
export const operatorVersion = `v${release.operator.join('.')}`;
