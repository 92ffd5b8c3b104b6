import type { VersionRange } from '../releases/gates.ts';
import type { Known } from '../unknown.ts';

/** Images that a mirror must have before a release is installed. For releases without a row, the operator's `--print-images=list` prints them. */
export type ImageList = {
  readonly release: string;
  /** `operator`, or the manifest that installs. */
  readonly by: string;
  readonly images: readonly string[];
  /** What the list's source does not show. */
  readonly missing: Known<'nothing'>;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/** Components with images of their own. `extra`: those that no installation by Signalbox uses. */
export const imageParts = [
  'operator',
  'agent',
  'cni',
  'flexvolume',
  'csi',
  'apiserver',
  'goldmane',
  'whisker',
  'certificates',
  'gateway',
  'openshift',
  'windows',
  'extra',
] as const;
export type ImagePart = (typeof imageParts)[number];

/** The component that needs an image. Names are those after the registry, in v3.30 to v3.32. */
export type ImageUse = {
  readonly image: string;
  readonly part: ImagePart;
  readonly neededBy: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const read = '2026-11-21';
const onlyWhatRan = {
  unknown:
    'Images of what did not run in the measured cluster, such as apiserver and key-cert-provisioner: `--print-images=list` of this operator.',
};

export const imageLists: readonly ImageList[] = [
  {
    release: 'v3.31.4',
    by: 'operator',
    images: [
      'quay.io/tigera/operator:v1.40.7',
      'quay.io/calico/cni:v3.31.4',
      'quay.io/calico/csi:v3.31.4',
      'quay.io/calico/goldmane:v3.31.4',
      'quay.io/calico/kube-controllers:v3.31.4',
      'quay.io/calico/node:v3.31.4',
      'quay.io/calico/node-driver-registrar:v3.31.4',
      'quay.io/calico/pod2daemon-flexvol:v3.31.4',
      'quay.io/calico/typha:v3.31.4',
      'quay.io/calico/whisker:v3.31.4',
      'quay.io/calico/whisker-backend:v3.31.4',
    ],
    missing: onlyWhatRan,
    source: 'measured: objects of operator v1.40.7; tigera-operator.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.31.3',
    by: 'operator',
    images: [
      'quay.io/tigera/operator:v1.40.3',
      'quay.io/calico/apiserver:v3.31.3',
      'quay.io/calico/cni:v3.31.3',
      'quay.io/calico/cni-windows:v3.31.3',
      'quay.io/calico/csi:v3.31.3',
      'quay.io/calico/ctl:v3.31.3',
      'quay.io/calico/dikastes:v3.31.3',
      'quay.io/calico/envoy-gateway:v3.31.3',
      'quay.io/calico/envoy-proxy:v3.31.3',
      'quay.io/calico/envoy-ratelimit:v3.31.3',
      'quay.io/calico/flannel-migration-controller:v3.31.3',
      'quay.io/calico/goldmane:v3.31.3',
      'quay.io/calico/key-cert-provisioner:v3.31.3',
      'quay.io/calico/kube-controllers:v3.31.3',
      'quay.io/calico/node:v3.31.3',
      'quay.io/calico/node-driver-registrar:v3.31.3',
      'quay.io/calico/node-windows:v3.31.3',
      'quay.io/calico/pod2daemon-flexvol:v3.31.3',
      'quay.io/calico/typha:v3.31.3',
      'quay.io/calico/whisker:v3.31.3',
      'quay.io/calico/whisker-backend:v3.31.3',
    ],
    missing: {
      unknown:
        'Guardian and the Istio images: its operator names them too; only the registry shows if they are published with it.',
    },
    source: 'https://docs.tigera.io/calico/latest/reference/component-versions; tigera/operator#4444',
    read,
  },
  {
    release: 'v3.30.7',
    by: 'operator',
    images: [
      'quay.io/tigera/operator:v1.38.13',
      'quay.io/calico/cni:v3.30.7',
      'quay.io/calico/csi:v3.30.7',
      'quay.io/calico/kube-controllers:v3.30.7',
      'quay.io/calico/node:v3.30.7',
      'quay.io/calico/node-driver-registrar:v3.30.7',
      'quay.io/calico/pod2daemon-flexvol:v3.30.7',
      'quay.io/calico/typha:v3.30.7',
    ],
    missing: onlyWhatRan,
    source: 'measured: objects of operator v1.38.16; tigera-operator.yaml of v3.30.7',
    read,
  },
  {
    release: 'v3.31.4',
    by: 'calico.yaml',
    images: ['quay.io/calico/cni:v3.31.4', 'quay.io/calico/node:v3.31.4', 'quay.io/calico/kube-controllers:v3.31.4'],
    missing: 'nothing',
    source: 'calico.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.31.4',
    by: 'calico-policy-only.yaml',
    images: [
      'quay.io/calico/cni:v3.31.4',
      'quay.io/calico/node:v3.31.4',
      'quay.io/calico/kube-controllers:v3.31.4',
      'quay.io/calico/typha:v3.31.4',
    ],
    missing: 'nothing',
    source: 'calico-policy-only.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.31.4',
    by: 'canal.yaml',
    images: [
      'quay.io/calico/cni:v3.31.4',
      'quay.io/calico/node:v3.31.4',
      'docker.io/flannel/flannel:v0.24.4',
      'quay.io/calico/kube-controllers:v3.31.4',
    ],
    missing: 'nothing',
    source: 'canal.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.31.4',
    by: 'calico-etcd.yaml',
    images: ['quay.io/calico/cni:v3.31.4', 'quay.io/calico/node:v3.31.4', 'quay.io/calico/kube-controllers:v3.31.4'],
    missing: 'nothing',
    source: 'calico-etcd.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.31.4',
    by: 'canal-etcd.yaml',
    images: [
      'quay.io/calico/cni:v3.31.4',
      'quay.io/calico/node:v3.31.4',
      'docker.io/flannel/flannel:v0.24.4',
      'quay.io/calico/kube-controllers:v3.31.4',
      'quay.io/coreos/etcd:v3.5.1',
    ],
    missing: 'nothing',
    source: 'canal-etcd.yaml of v3.31.4',
    read,
  },
  {
    release: 'v3.27.5',
    by: 'calico.yaml',
    images: [
      'docker.io/calico/cni:v3.27.5',
      'docker.io/calico/node:v3.27.5',
      'docker.io/calico/kube-controllers:v3.27.5',
    ],
    missing: 'nothing',
    source: 'calico.yaml of v3.27.5',
    read,
  },
  {
    release: 'v3.27.5',
    by: 'canal.yaml',
    images: [
      'docker.io/calico/cni:v3.27.5',
      'docker.io/calico/node:v3.27.5',
      'docker.io/flannel/flannel:v0.21.3',
      'docker.io/calico/kube-controllers:v3.27.5',
    ],
    missing: 'nothing',
    source: 'canal.yaml of v3.27.5',
    read,
  },
  {
    release: 'v3.24.6',
    by: 'calico.yaml',
    images: [
      'docker.io/calico/cni:v3.24.5',
      'docker.io/calico/node:v3.24.5',
      'docker.io/calico/kube-controllers:v3.24.5',
    ],
    missing: 'nothing',
    source: 'calico.yaml of v3.24.6',
    read,
  },
  {
    release: 'v3.24.6',
    by: 'calico-policy-only.yaml',
    images: [
      'docker.io/calico/cni:v3.24.5',
      'docker.io/calico/node:v3.24.5',
      'docker.io/calico/kube-controllers:v3.24.5',
      'docker.io/calico/typha:v3.24.5',
    ],
    missing: 'nothing',
    source: 'calico-policy-only.yaml of v3.24.6',
    read,
  },
  {
    release: 'v3.24.6',
    by: 'calico-etcd.yaml',
    images: [
      'docker.io/calico/cni:v3.24.5',
      'docker.io/calico/node:v3.24.5',
      'docker.io/calico/kube-controllers:v3.24.5',
    ],
    missing: 'nothing',
    source: 'calico-etcd.yaml of v3.24.6',
    read,
  },
  {
    release: 'v3.24.6',
    by: 'canal-etcd.yaml',
    images: [
      'docker.io/calico/cni:v3.24.5',
      'docker.io/calico/node:v3.24.5',
      'quay.io/coreos/flannel:v0.15.1',
      'docker.io/calico/kube-controllers:v3.24.5',
      'quay.io/coreos/etcd:v3.5.1',
    ],
    missing: 'nothing',
    source: 'canal-etcd.yaml of v3.24.6',
    read,
  },
];

export const imageUses: readonly ImageUse[] = [
  {
    image: 'tigera/operator',
    part: 'operator',
    neededBy: 'every installation by the operator',
    source: 'calico.md §1.2',
    read,
  },
  {
    image: 'calico/node',
    part: 'agent',
    neededBy: 'every installation: the agent and its init containers',
    source: 'calico.md §3.4',
    read,
  },
  {
    image: 'calico/cni',
    part: 'cni',
    neededBy: 'every installation with Calico’s CNI',
    source: 'calico.md §3.4',
    read,
  },
  {
    image: 'calico/typha',
    part: 'agent',
    neededBy: 'every installation by the operator; some manifests',
    source: 'calico.md §1.2; calico.md §3.4',
    read,
  },
  { image: 'calico/kube-controllers', part: 'agent', neededBy: 'every installation', source: 'calico.md §1.2', read },
  {
    image: 'calico/pod2daemon-flexvol',
    part: 'flexvolume',
    neededBy: 'the operator, unless Installation flexVolumePath is None',
    source: 'calico.md §2.1; calico.md §3.4',
    read,
  },
  {
    image: 'calico/csi',
    part: 'csi',
    neededBy: 'the operator, unless Installation kubeletVolumePluginPath is None (the chart’s default)',
    source: 'calico.md §1.3; calico.md §2.1',
    read,
  },
  { image: 'calico/node-driver-registrar', part: 'csi', neededBy: 'as calico/csi', source: 'calico.md §2.1', read },
  { image: 'calico/apiserver', part: 'apiserver', neededBy: 'APIServer/default', source: 'calico.md §1.2', read },
  {
    image: 'calico/goldmane',
    part: 'goldmane',
    neededBy: 'Goldmane/default, from v3.30 on',
    source: 'calico.md §6',
    read,
  },
  {
    image: 'calico/whisker',
    part: 'whisker',
    neededBy: 'Whisker/default, from v3.30 on',
    source: 'calico.md §6',
    read,
  },
  {
    image: 'calico/whisker-backend',
    part: 'whisker',
    neededBy: 'Whisker/default, from v3.30 on',
    source: 'calico.md §6',
    read,
  },
  {
    image: 'calico/key-cert-provisioner',
    part: 'certificates',
    neededBy: 'Installation certificateManagement',
    source: 'calico.md §3.4; tigera/operator#4376',
    read,
  },
  {
    image: 'calico/envoy-gateway',
    part: 'gateway',
    neededBy: 'GatewayAPI',
    source: 'calico.md §4; pain.md §1 J3',
    read,
  },
  { image: 'calico/envoy-proxy', part: 'gateway', neededBy: 'GatewayAPI', source: 'calico.md §4; pain.md §1 J3', read },
  {
    image: 'calico/envoy-ratelimit',
    part: 'gateway',
    neededBy: 'GatewayAPI',
    source: 'calico.md §4; pain.md §1 J3',
    read,
  },
  {
    image: 'calico/dikastes',
    part: 'extra',
    neededBy: 'sidecars of application layer policy',
    source: 'calico.md §1.2',
    read,
  },
  {
    image: 'calico/ctl',
    part: 'openshift',
    neededBy: 'OpenShift’s bundle and calicoctl as a pod',
    source: 'calico.md §1.2; calico.md §1.3',
    read,
  },
  {
    image: 'flannel/flannel',
    part: 'extra',
    neededBy: 'canal.yaml and canal-etcd.yaml; it has a registry and a version of its own',
    source: 'calico.md §1.2',
    read,
  },
  {
    image: 'calico/node-windows',
    part: 'windows',
    neededBy: 'nodes with Windows',
    source: 'https://docs.tigera.io/calico/latest/reference/component-versions',
    read,
  },
  {
    image: 'calico/cni-windows',
    part: 'windows',
    neededBy: 'nodes with Windows',
    source: 'https://docs.tigera.io/calico/latest/reference/component-versions',
    read,
  },
  {
    image: 'calico/flannel-migration-controller',
    part: 'extra',
    neededBy: 'the move from flannel to Calico (flannel-migration/)',
    source: 'calico.md §1.2',
    read,
  },
];

/**
 * Releases whose images have the names of `imageUses`, so that names missing in a list follow the pattern. Before them, some images did not exist; from v3.33 on
 * most components share one image (calico.md §11).
 */
export const imagesByPattern: VersionRange = { from: 'v3.30.0', before: 'v3.33.0' };
