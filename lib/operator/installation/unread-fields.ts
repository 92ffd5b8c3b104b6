/**
 * Fields of the published Installation that nothing here reads, by the group that has them (`` is `spec`). With those of `installationSpec` they are all
 * fields of these groups. Source: operator-crds.yaml of v3.31.7, read 2026-11-28.
 */
export const unreadFields: Readonly<Record<string, readonly string[]>> = {
  '': [
    'calicoKubeControllersDeployment',
    'calicoNodeDaemonSet',
    'calicoNodeWindowsDaemonSet',
    'calicoWindowsUpgradeDaemonSet',
    'certificateManagement',
    'componentResources',
    'csiNodeDriverDaemonSet',
    'proxy',
    'tlsCipherSuites',
    'typhaAffinity',
    'typhaDeployment',
    'typhaMetricsPort',
  ],
  calicoNetwork: ['sysctl'],
  cni: ['specVersion'],
};
