import { inRange, type VersionRange } from '../releases/gates.ts';

/** Default registries by release. Mirrors and allow-lists use these names. */
export type DefaultRegistry = {
  readonly what: string;
  readonly registry: string;
  /** Releases of Calico. Those between two rows of the same kind were not read. */
  readonly releases: VersionRange;
  readonly note: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-21';

export const defaultRegistries: readonly DefaultRegistry[] = [
  {
    what: 'operator',
    registry: 'quay.io/tigera/operator',
    releases: { from: 'v3.24.0' },
    note: 'It comes from its own Deployment: Installation spec.registry and its pull secrets do not reach it.',
    source:
      'tigera-operator.yaml of v3.24.6; tigera-operator.yaml of v3.27.5; tigera-operator.yaml of v3.30.7; tigera-operator.yaml of v3.31.4; pain.md §1 J2',
    read,
  },
  {
    what: 'Calico, installed by the operator',
    registry: 'docker.io/calico',
    releases: { before: 'v3.30.1' },
    note: 'As operator v1.38.0 has it. Which 1.38 was the first with the other registry was not read: its list of images tells.',
    source: 'tigera/operator pkg/components at v1.38.0; calico.md §1.1',
    read,
  },
  {
    what: 'Calico, installed by the operator',
    registry: 'quay.io/calico',
    releases: { from: 'v3.30.7' },
    note: 'Crossing from the row before: gate V10.',
    source: 'measured: operators v1.38.13 and v1.38.16 (v3.30.7); tigera/operator pkg/components at v1.40.0',
    read,
  },
  {
    what: 'Calico, installed by manifest',
    registry: 'docker.io/calico',
    releases: { before: 'v3.28.0' },
    note: 'Read in the manifests of v3.24.6 and v3.27.5; the reference says it of all releases up to v3.30.',
    source: 'calico.yaml of v3.24.6; calico.yaml of v3.27.5; calico.md §1.1',
    read,
  },
  {
    what: 'Calico, installed by manifest',
    registry: 'quay.io/calico',
    releases: { from: 'v3.31.0' },
    note: 'Read in the manifests of v3.31.4.',
    source: 'calico.yaml of v3.31.4; calico.md §1.1',
    read,
  },
  {
    what: 'flannel, in canal-etcd.yaml',
    registry: 'quay.io/coreos/flannel',
    releases: { from: 'v3.24.0', before: 'v3.25.0' },
    note: 'v0.15.1.',
    source: 'canal-etcd.yaml of v3.24.6',
    read,
  },
  {
    what: 'flannel, in canal.yaml',
    registry: 'docker.io/flannel/flannel',
    releases: { from: 'v3.27.0' },
    note: 'v0.21.3 in v3.27.5, v0.24.4 in v3.31.4. It did not move with Calico’s own images.',
    source: 'canal.yaml of v3.27.5; canal.yaml of v3.31.4',
    read,
  },
  {
    what: 'etcd, in the job of canal-etcd.yaml',
    registry: 'quay.io/coreos/etcd',
    releases: { from: 'v3.24.0' },
    note: 'v3.5.1.',
    source: 'canal-etcd.yaml of v3.24.6; canal-etcd.yaml of v3.31.4',
    read,
  },
  {
    what: 'charts',
    registry: 'https://docs.tigera.io/calico/charts',
    releases: { from: 'v3.24.0' },
    note: 'From v3.32 on also as OCI artefacts in quay.io/calico/charts, and the CRDs are a chart of their own.',
    source: 'calico.md §1.1; calico.md §1.3',
    read,
  },
];

/** The default registry of a release: `docker.io/calico`. Null if it was not read. */
export function defaultRegistryOf(release: string, installedBy: 'the operator' | 'manifest'): string | null {
  const rows = defaultRegistries.filter(({ what }) => what === `Calico, installed by ${installedBy}`);
  return rows.find(({ releases }) => inRange(release, releases) === 'yes')?.registry ?? null;
}
