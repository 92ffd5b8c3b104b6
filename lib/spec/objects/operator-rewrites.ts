import { names } from './names.ts';

/**
 * Fields that the operator writes by itself on a running cluster, so that a change of them is not by others (operations.md › Two consoles; architecture.md ›
 * Operation). They are not guarded, and not awaited after a write.
 */
export type OperatorRewrite = {
  readonly kind: string;
  /** The field and everything below it. */
  readonly path: readonly string[];
  /** `always`: overwrites any value. `defaults`: only if the field is absent. */
  readonly when: 'always' | 'defaults';
  /** The first release whose operator does so. Absent: all. */
  readonly since?: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

const calicoNetwork = (field: string) => ['spec', 'calicoNetwork', field];

export const operatorRewrites: readonly OperatorRewrite[] = [
  row('Installation', calicoNetwork('hostPorts'), 'always', 'controlplane.md › Recordings 5: back within 30 ms'),
  ...[
    ['spec', 'variant'],
    ['spec', 'kubernetesProvider'],
    ['spec', 'cni'],
    ['spec', 'flexVolumePath'],
    ['spec', 'kubeletVolumePluginPath'],
    ['spec', 'nodeUpdateStrategy'],
    ['spec', 'controlPlaneReplicas'],
    ['spec', 'logging'],
    calicoNetwork('linuxDataplane'),
    calicoNetwork('windowsDataplane'),
    calicoNetwork('bgp'),
    calicoNetwork('ipPools'),
    calicoNetwork('nodeAddressAutodetectionV4'),
    calicoNetwork('nodeAddressAutodetectionV6'),
    calicoNetwork('multiInterfaceMode'),
    calicoNetwork('linuxPolicySetupTimeoutSeconds'),
  ].map((path) => row('Installation', path, 'defaults', 'calico.md §2.1: defaults are written back into spec')),
  ...[
    ['spec', 'nonPrivileged'],
    ['spec', 'cni', 'binDir'],
    ['spec', 'cni', 'confDir'],
  ].map((path) => ({
    ...row('Installation', path, 'defaults', 'controlplane.md › Recordings, the upgrade at t=66.6 and 69.4'),
    since: 'v3.31.0',
  })),
  {
    ...row('FelixConfiguration', ['spec', 'nftablesMode'], 'always', 'calico.md §3.5 no. 1: follows the data plane'),
    since: 'v3.31.0',
  },
  {
    ...row('FelixConfiguration', ['spec', 'vxlanPort'], 'defaults', 'calico.md §3.5: persisted when nil, since 1.40.0'),
    since: 'v3.31.0',
  },
  ...[
    ['spec', 'bpfEnabled'],
    ['metadata', 'annotations', names.bpfEnabledAnnotation],
    ['spec', 'healthPort'],
    ['spec', 'vxlanVNI'],
    ['spec', 'routeTableRange'],
    ['spec', 'bpfHostConntrackBypass'],
  ].map((path) => row('FelixConfiguration', path, 'defaults', 'calico.md §3.5: persisted when nil')),
];

function row(kind: string, path: readonly string[], when: OperatorRewrite['when'], source: string): OperatorRewrite {
  return { kind, path, when, source, read: '2026-08-22' };
}

/** Whether the operator may have written this field by itself. `value`: whether it had a value before. */
export function rewrittenByOperator(kind: string, path: readonly string[], value: 'present' | 'absent'): boolean {
  return operatorRewrites.some(
    (rewrite) =>
      rewrite.kind === kind &&
      (rewrite.when === 'always' || value === 'absent') &&
      rewrite.path.every((key, index) => path[index] === key),
  );
}
