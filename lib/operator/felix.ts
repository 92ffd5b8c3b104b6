import { type InstallationSpec, wantsBpf } from '#lib/installation/index.ts';
import type { KubeObject } from '#lib/kube/index.ts';
import { names } from '#lib/spec/index.ts';
import { changes, memberAt } from './difference.ts';
import type { Release } from './releases.ts';
import type { SwitchDecision } from './switch.ts';

type Patch = { metadata?: { annotations: Record<string, string> }; spec: Record<string, unknown> };

/** Health port of the agents (calico.md §3.4). */
export function healthPortFor(spec: InstallationSpec): number {
  return spec.kubernetesProvider === 'OpenShift' ? 9199 : 9099;
}

/** Defaults that the operator writes where nobody set them (calico.md §3.5, as recorded in install-enable-rollback-3.31.4.jsonl, t=6.45). */
function persisted(spec: InstallationSpec, release: Release): Record<string, unknown> {
  const docker = spec.kubernetesProvider === 'DockerEnterprise';
  return {
    healthPort: healthPortFor(spec),
    vxlanVNI: docker ? 10000 : 4096,
    ...(release.nftablesFollowsBpf ? { vxlanPort: docker && wantsBpf(spec) ? 8472 : 4789 } : {}),
    ...(spec.cni?.type === 'AmazonVPC' ? { routeTableRange: { min: 65, max: 99 } } : {}),
    ...(spec.cni?.type === 'GKE' ? { routeTableRange: { min: 10, max: 250 } } : {}),
    // Written empty, because the operator serialises its whole struct.
    bpfLogLevel: '',
  };
}

/** nftablesMode for a data plane. BPF counts as nftables, except on MKE (calico.md §3.5, since 1.40.0). */
function nftablesMode(spec: InstallationSpec, release: Release): 'Enabled' | 'Disabled' {
  if (spec.calicoNetwork?.linuxDataplane === 'Nftables') return 'Enabled';
  return wantsBpf(spec) && release.nftablesFollowsBpf && spec.kubernetesProvider !== 'DockerEnterprise'
    ? 'Enabled'
    : 'Disabled';
}

/**
 * The first write of a reconcile: defaults and nftablesMode. nftablesMode changes before the first new pod exists, so that every agent restarts in
 * nftables mode while the rollout lasts (install-enable-rollback-3.31.4.jsonl, t=53.58). Null: nothing to write.
 */
export function preparation(felix: KubeObject | null, spec: InstallationSpec, release: Release): Patch | null {
  const wanted = Object.entries(persisted(spec, release)).filter(
    ([field]) => memberAt(felix, 'spec', field) === undefined,
  );
  const patch = { spec: { ...Object.fromEntries(wanted), nftablesMode: nftablesMode(spec, release) } };
  return changes(felix ?? {}, patch) ? patch : null;
}

/** The switch itself: in one write, the field and the annotation that proves who wrote it. */
export function switchPatch(decision: Extract<SwitchDecision, { kind: 'write' }>): Patch {
  return {
    metadata: { annotations: { [names.bpfEnabledAnnotation]: String(decision.bpfEnabled) } },
    spec: { bpfEnabled: decision.bpfEnabled },
  };
}

/** A FelixConfiguration for a cluster that has none. `decision`: the data plane, where it is decided already. */
export function newFelixConfiguration(
  spec: InstallationSpec,
  decision: Extract<SwitchDecision, { kind: 'write' }> | null,
  release: Release,
): KubeObject {
  const switched = decision && switchPatch(decision);
  return {
    apiVersion: 'crd.projectcalico.org/v1',
    kind: 'FelixConfiguration',
    metadata: { name: names.felixConfiguration, ...switched?.metadata },
    spec: { ...preparation(null, spec, release)?.spec, ...switched?.spec },
  };
}
