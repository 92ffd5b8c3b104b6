import type { InstallationSpec } from '#lib/installation/index.ts';
import { type KubeObject, type ManagedFieldsEntry, objectTime } from '#lib/kube/index.ts';
import { ipPoolOf, newFelixConfiguration, poolsWithDefaults, withDefaults } from '#lib/operator/index.ts';
import { names } from '#lib/spec/index.ts';
import { uidOf } from '../builders.ts';
import { type ClusterShape, podSubnet } from './cluster-shape.ts';
import { releaseIn } from './release.ts';

const minuteMs = 60_000;

/**
 * The Installation's spec with every default, as the operator writes it back. The defaults are those of the standard data plane, because a cluster
 * came to eBPF later, by a switch.
 */
export function installationSpec(shape: ClusterShape): InstallationSpec {
  const { dataplane, provider = '', cni, encapsulation = 'VXLANCrossSubnet', mtu } = shape;
  const calicoCni = cni === undefined || cni === 'Calico';
  const ipPools = poolsWithDefaults(calicoCni ? [{ cidr: podSubnet, encapsulation }] : [], {
    calicoCni,
    calicoIpam: calicoCni,
    provider,
    existing: [],
    platformCidrs: [],
  });
  const pools = calicoCni ? [podSubnet] : [];
  const around = { release: releaseIn(shape), provider, pools, awsNode: cni === 'AmazonVPC' } as const;
  const spec = withDefaults(
    { ...(cni ? { cni: { type: cni } } : {}), calicoNetwork: { ipPools, ...(mtu === undefined ? {} : { mtu }) } },
    around,
  );
  return { ...spec, calicoNetwork: { ...spec.calicoNetwork, linuxDataplane: dataplane } };
}

/** An Installation of the standard data plane has generation 4 once its defaults are written; the switch adds two. */
export function installation({ dataplane, now }: ClusterShape, spec: InstallationSpec): KubeObject {
  const made = {
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: {
      name: names.installation,
      uid: uidOf('Installation', '', names.installation),
      generation: dataplane === 'BPF' ? 6 : 4,
      finalizers: [names.installationFinalizer, names.cleanupFinalizer],
    },
    spec,
  };
  return { ...made, metadata: { ...made.metadata, managedFields: [byOperator(made, now)] } };
}

/**
 * The operator's entry in managedFields. A real API server records managers from an object's first write on; a later write is recorded only where
 * such a record exists.
 */
function byOperator(made: KubeObject, now: number): ManagedFieldsEntry {
  const written = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [`f:${field}`, {}]));
  const { annotations } = made.metadata;
  return {
    apiVersion: made.apiVersion,
    fieldsType: 'FieldsV1',
    fieldsV1: {
      ...(annotations === undefined ? {} : { 'f:metadata': { 'f:annotations': { '.': {}, ...written(annotations) } } }),
      'f:spec': { '.': {}, ...written(Object(made.spec)) },
    },
    manager: names.operatorFieldManager,
    operation: 'Update',
    time: objectTime(now - 3 * 60 * minuteMs),
  };
}

/** Calico's own objects: statuses and configuration, as the operator and the agents leave them. */
export function calicoResources(shape: ClusterShape, spec: InstallationSpec): KubeObject[] {
  return [
    ...['calico', 'ippools'].map(tigeraStatus),
    felixConfiguration(shape, spec),
    ...(spec.calicoNetwork?.ipPools ?? []).map((pool) => withGeneration(ipPoolOf(pool), 1)),
    clusterInformation(shape),
    kubeControllersConfiguration(),
  ];
}

function tigeraStatus(name: string): KubeObject {
  return { apiVersion: 'operator.tigera.io/v1', kind: 'TigeraStatus', metadata: { name, generation: 1 }, spec: {} };
}

function withGeneration(object: KubeObject, generation: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

/**
 * Has managedFields, because the time at which `bpfEnabled` was written decides from when on an agent's log counts (operations.md › Proof of a node).
 */
function felixConfiguration(shape: ClusterShape, spec: InstallationSpec): KubeObject {
  const { now, dataplane } = shape;
  const bpfEnabled = dataplane === 'BPF';
  const made = newFelixConfiguration(spec, { kind: 'write', bpfEnabled }, releaseIn(shape));
  return withGeneration(
    { ...made, metadata: { ...made.metadata, managedFields: [byOperator(made, now)] } },
    bpfEnabled ? 4 : 2,
  );
}

function clusterInformation(shape: ClusterShape): KubeObject {
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'ClusterInformation',
    metadata: { name: 'default', generation: 1 },
    spec: {
      calicoVersion: releaseIn(shape).calicoVersion,
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
