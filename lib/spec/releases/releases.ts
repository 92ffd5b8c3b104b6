/** The Calico that an operator installs. It cannot be computed: odd minors belong to another product (calico.md, head). */
export type OperatorTrain = {
  /** `1.40`; every patch in `patches` (from, to) installs that Calico. */
  readonly operator: string;
  readonly patches: readonly { readonly from: number; readonly to: number; readonly calico: string }[];
  /** Minor release of Calico, for patches that the table lacks. */
  readonly calico: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const trains = { source: 'calico.md head; tigera/operator config/calico_versions.yml at each tag', read: '2026-08-22' };
const manifest = { source: 'tigera-operator.yaml of the release', read: '2026-11-21' };
const releaseNote = (rest: string) => ({ source: `${trains.source}; ${rest}`, read: '2026-11-21' });
const operatorPage = 'https://github.com/tigera/operator/releases/tag';

export const operatorTrains: readonly OperatorTrain[] = [
  { operator: '1.28', calico: '3.24', patches: [{ from: 5, to: 5, calico: '3.24.5' }], ...manifest },
  { operator: '1.32', calico: '3.27', patches: [{ from: 12, to: 12, calico: '3.27.5' }], ...manifest },
  { operator: '1.34', calico: '3.28', patches: [], ...trains },
  {
    operator: '1.36',
    calico: '3.29',
    patches: [{ from: 10, to: 10, calico: '3.29.4' }],
    ...releaseNote('https://newreleases.io/project/github/tigera/operator/release/v1.36.10'),
  },
  {
    operator: '1.38',
    calico: '3.30',
    patches: [
      { from: 7, to: 7, calico: '3.30.4' },
      { from: 11, to: 11, calico: '3.30.6' },
      { from: 13, to: 16, calico: '3.30.7' },
    ],
    ...releaseNote('tigera/operator#4376; measured: 1.38.13 and 1.38.16 install v3.30.7'),
  },
  {
    operator: '1.40',
    calico: '3.31',
    patches: [
      { from: 0, to: 0, calico: '3.31.0' },
      { from: 2, to: 2, calico: '3.31.2' },
      { from: 3, to: 6, calico: '3.31.3' },
      { from: 7, to: 7, calico: '3.31.4' },
      { from: 8, to: 12, calico: '3.31.5' },
      { from: 13, to: 14, calico: '3.31.6' },
      { from: 15, to: 15, calico: '3.31.7' },
      { from: 17, to: 17, calico: '3.31.7' },
    ],
    ...releaseNote(`https://docs.tigera.io/calico/latest/reference/component-versions; ${operatorPage}/v1.40.17`),
  },
  {
    operator: '1.42',
    calico: '3.32',
    patches: [
      { from: 2, to: 2, calico: '3.32.0' },
      { from: 3, to: 4, calico: '3.32.1' },
    ],
    ...releaseNote(`${operatorPage}/v1.42.4`),
  },
  {
    operator: '1.44',
    calico: '3.33',
    patches: [{ from: 1, to: 1, calico: '3.33.1' }],
    ...releaseNote(`${operatorPage}/v1.44.1`),
  },
];

/** `v1.40.7` → `v3.31.4`. Null if the table lacks this patch. */
export function calicoOfOperator(operatorVersion: string): string | null {
  const match = /^v?(\d+\.\d+)\.(\d+)$/.exec(operatorVersion);
  if (!match) return null;
  const patch = Number(match[2]);
  const train = operatorTrains.find(({ operator }) => operator === match[1]);
  const found = train?.patches.find(({ from, to }) => from <= patch && patch <= to);
  return found ? `v${found.calico}` : null;
}

/** `v1.40.20` → `3.31`: the minor release is known for every patch of a train. */
export function calicoMinorOfOperator(operatorVersion: string): string | null {
  const match = /^v?(\d+\.\d+)\.\d+/.exec(operatorVersion);
  return operatorTrains.find(({ operator }) => operator === match?.[1])?.calico ?? null;
}
