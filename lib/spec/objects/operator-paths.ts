/** The operator's default folders for FlexVolume, by the detected provider (calico.md §2.1). */
export const flexVolumePaths = {
  openshift: '/etc/kubernetes/kubelet-plugins/volume/exec/',
  gke: '/home/kubernetes/flexvolume/',
  aks: '/etc/kubernetes/volumeplugins/',
  rke2: '/var/lib/kubelet/volumeplugins/',
  other: '/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
} as const;

const found = { source: 'calico.md §2.1', read: '2026-11-21' };

export const cniPaths = {
  openshift: { bin: '/var/lib/cni/bin', conf: '/var/run/multus/cni/net.d', ...found },
  gke: { bin: '/home/kubernetes/bin', conf: '/etc/cni/net.d', ...found },
  other: { bin: '/opt/cni/bin', conf: '/etc/cni/net.d', ...found },
} as const;
