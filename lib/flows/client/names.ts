/** The names that the operator uses in its namespace (calico.md §6.1–6.2). */
export const aggregatorName = 'goldmane';
export const aggregatorBundle = 'goldmane-ca-bundle';
/** The first pair that can be read is used. The aggregator accepts every pair of this authority. */
export const clientPairs = ['whisker-backend-key-pair', 'node-certs'] as const;
