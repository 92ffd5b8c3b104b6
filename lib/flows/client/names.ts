/** Names as the operator gives them in its namespace (calico.md §6.1–6.2). */
export const aggregatorName = 'goldmane';
export const aggregatorBundle = 'goldmane-ca-bundle';
/** The first that can be read is used: every pair of this authority is let in. */
export const clientPairs = ['whisker-backend-key-pair', 'node-certs'] as const;
