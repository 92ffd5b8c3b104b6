/** Four times the largest file of a release so far (operator-crds.yaml, 2.6 MB). */
export const mostBytes = 10_000_000;
