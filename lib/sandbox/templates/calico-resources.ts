import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { timeAt, uidOf } from '../builders.ts';
import { type ClusterShape, podSubnet } from './cluster-shape.ts';

export const calicoVersion = 'v3.31.4';
export const operatorVersion = 'v1.40.7';

const minuteMs = 60_000;

/** Installation, statuses and configuration as the operator leaves them: every default written back, every status settled. */
export function calicoResources(shape: ClusterShape): KubeObject[] {
  return [
    installation(shape),
    tigeraStatus('calico', shape),
    tigeraStatus('ippools', shape),
    felixConfiguration(shape),
    ipPool(),
    clusterInformation(),
    kubeControllersConfiguration(),
  ];
}

/** An Installation of the standard data plane has generation 4 when its defaults are in; the switch makes two more. */
function generationOf({ dataplane }: ClusterShape): number {
  return dataplane === 'BPF' ? 6 : 4;
}

function installationSpec({ dataplane }: ClusterShape) {
  return {
    calicoNetwork: {
      bgp: 'Enabled',
      hostPorts: 'Enabled',
      ipPools: [
        {
          allowedUses: ['Workload', 'Tunnel'],
          assignmentMode: 'Automatic',
          blockSize: 26,
          cidr: podSubnet,
          disableBGPExport: false,
          disableNewAllocations: false,
          encapsulation: 'VXLANCrossSubnet',
          name: 'default-ipv4-ippool',
          natOutgoing: 'Enabled',
          nodeSelector: 'all()',
        },
      ],
      linuxDataplane: dataplane,
      linuxPolicySetupTimeoutSeconds: 0,
      multiInterfaceMode: 'None',
      nodeAddressAutodetectionV4: { firstFound: true },
      windowsDataplane: 'Disabled',
    },
    cni: { binDir: '/opt/cni/bin', confDir: '/etc/cni/net.d', ipam: { type: 'Calico' }, type: 'Calico' },
    controlPlaneReplicas: 2,
    flexVolumePath: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
    kubeletVolumePluginPath: '/var/lib/kubelet',
    logging: {
      cni: { logFileMaxAgeDays: 30, logFileMaxCount: 10, logFileMaxSize: '100Mi', logSeverity: 'Info' },
    },
    nodeUpdateStrategy: { rollingUpdate: { maxUnavailable: 1 }, type: 'RollingUpdate' },
    nonPrivileged: 'Disabled',
    variant: 'Calico',
  };
}

function installation(shape: ClusterShape): KubeObject {
  const spec = installationSpec(shape);
  return {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: {
      name: names.installation,
      generation: generationOf(shape),
      finalizers: ['operator.tigera.io/installation-controller', 'tigera.io/operator-cleanup'],
    },
    spec,
    status: {
      calicoVersion,
      computed: spec,
      conditions: conditions(shape, 'Ready'),
      variant: 'Calico',
    },
  };
}

function tigeraStatus(name: string, shape: ClusterShape): KubeObject {
  return {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'TigeraStatus',
    metadata: { name, generation: 1 },
    spec: {},
    status: { conditions: conditions(shape, 'Available', name === 'calico') },
  };
}

/** In the public one's words; two spellings of the same ones, as recorded. `calico` waits for nodes that are not ready. */
function conditions(shape: ClusterShape, good: 'Available' | 'Ready', waitsForNodes = true) {
  const common = {
    lastTransitionTime: timeAt(shape.now - 30 * minuteMs),
    observedGeneration: generationOf(shape),
  };
  const awaited = waitsForNodes ? shape.nodes.filter(({ ready }) => ready === false).length : 0;
  const well = { ...common, reason: 'AllObjectsAvailable', message: 'All Objects Available', status: 'False' };
  const silent = { ...common, reason: 'Unknown', message: '', status: 'False' };
  if (awaited > 0) {
    const message = `DaemonSet "${names.calicoNamespace}/${names.nodeDaemonSet}" is not available (awaiting ${awaited} nodes)`;
    return [
      { ...silent, type: good },
      { ...common, reason: 'ResourceNotReady', message, status: 'True', type: 'Progressing' },
      { ...silent, type: 'Degraded' },
    ];
  }
  return [
    { ...well, message: 'All objects available', status: 'True', type: good },
    { ...well, type: 'Progressing' },
    { ...well, type: 'Degraded' },
  ];
}

/** With managedFields: when `bpfEnabled` was written decides since when an agent's log counts (operations.md › Proof of a node). */
function felixConfiguration({ now, dataplane }: ClusterShape): KubeObject {
  const bpf = dataplane === 'BPF';
  const spec = {
    bpfEnabled: bpf,
    bpfLogLevel: '',
    healthPort: 9099,
    nftablesMode: bpf ? 'Enabled' : 'Disabled',
    vxlanPort: 4789,
    vxlanVNI: 4096,
  };
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: {
      name: names.felixConfiguration,
      generation: bpf ? 4 : 2,
      annotations: { [names.bpfEnabledAnnotation]: String(bpf) },
      managedFields: [
        {
          apiVersion: 'crd.projectcalico.org/v1',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': {
              'f:annotations': { '.': {}, [`f:${names.bpfEnabledAnnotation}`]: {} },
            },
            'f:spec': {
              '.': {},
              ...Object.fromEntries(Object.keys(spec).map((field) => [`f:${field}`, {}])),
            },
          },
          manager: 'operator',
          operation: 'Update',
          time: timeAt(now - 3 * 60 * minuteMs),
        },
      ],
    },
    spec,
  };
}

function ipPool(): KubeObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'IPPool',
    metadata: {
      name: 'default-ipv4-ippool',
      generation: 1,
      labels: { 'app.kubernetes.io/managed-by': 'tigera-operator' },
    },
    spec: {
      allowedUses: ['Workload', 'Tunnel'],
      assignmentMode: 'Automatic',
      blockSize: 26,
      cidr: podSubnet,
      ipipMode: 'Never',
      natOutgoing: true,
      nodeSelector: 'all()',
      vxlanMode: 'CrossSubnet',
    },
  };
}

function clusterInformation(): KubeObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'ClusterInformation',
    metadata: { name: 'default', generation: 1 },
    spec: {
      calicoVersion,
      clusterGUID: uidOf('cluster').replaceAll('-', ''),
      clusterType: 'typha,kdd,k8s,operator,bgp,kubeadm',
      datastoreReady: true,
    },
  };
}

function kubeControllersConfiguration(): KubeObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'KubeControllersConfiguration',
    metadata: { name: 'default', generation: 1 },
    spec: { controllers: { node: { hostEndpoint: { autoCreate: 'Disabled' }, syncLabels: 'Enabled' } } },
  };
}
