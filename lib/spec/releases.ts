/**
 * Which Calico an operator installs. Never by arithmetic: odd minors are another product's trains (calico.md, head).
 * Source: config/calico_versions.yml of tigera/operator at each tag, read 2026-08-22 (calico.md, head; pain.md, head), and the operator
 * that each release's own manifest names, read 2026-11-21.
 */

type Pairing = {
  /** `1.40`; every patch in `patches` (from, to) installs that Calico. */
  readonly operator: string;
  readonly patches: readonly { readonly from: number; readonly to: number; readonly calico: string }[];
  /** Minor of Calico for patches that the table does not hold. */
  readonly calico: string;
};

const pairings: readonly Pairing[] = [
  { operator: '1.28', calico: '3.24', patches: [{ from: 5, to: 5, calico: '3.24.5' }] },
  { operator: '1.32', calico: '3.27', patches: [{ from: 12, to: 12, calico: '3.27.5' }] },
  { operator: '1.34', calico: '3.28', patches: [] },
  { operator: '1.36', calico: '3.29', patches: [] },
  {
    operator: '1.38',
    calico: '3.30',
    patches: [
      { from: 7, to: 7, calico: '3.30.4' },
      { from: 13, to: 16, calico: '3.30.7' },
    ],
  },
  {
    operator: '1.40',
    calico: '3.31',
    patches: [
      { from: 0, to: 0, calico: '3.31.0' },
      { from: 3, to: 6, calico: '3.31.3' },
      { from: 7, to: 7, calico: '3.31.4' },
      { from: 8, to: 12, calico: '3.31.5' },
      { from: 13, to: 14, calico: '3.31.6' },
      { from: 15, to: 15, calico: '3.31.7' },
    ],
  },
  {
    operator: '1.42',
    calico: '3.32',
    patches: [
      { from: 2, to: 2, calico: '3.32.0' },
      { from: 3, to: 3, calico: '3.32.1' },
    ],
  },
  { operator: '1.44', calico: '3.33', patches: [] },
];

/** `v1.40.7` → `v3.31.4`. Null where the table does not know this very patch. */
export function calicoOfOperator(operatorVersion: string): string | null {
  const match = /^v?(\d+\.\d+)\.(\d+)$/.exec(operatorVersion);
  if (!match) return null;
  const patch = Number(match[2]);
  const pairing = pairings.find(({ operator }) => operator === match[1]);
  const found = pairing?.patches.find(({ from, to }) => from <= patch && patch <= to);
  return found ? `v${found.calico}` : null;
}

/** `v1.40.20` → `3.31`: the minor release is known for every patch of a train. */
export function calicoMinorOfOperator(operatorVersion: string): string | null {
  const match = /^v?(\d+\.\d+)\.\d+/.exec(operatorVersion);
  return pairings.find(({ operator }) => operator === match?.[1])?.calico ?? null;
}
