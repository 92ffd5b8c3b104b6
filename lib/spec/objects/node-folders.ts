import type { Installer } from '../platforms/installers.ts';

/** Folders of a node for the Installation, for tools whose kubelet or CNI plugins are not in the operator's default folders. */
export type NodeFolders = {
  readonly installer: Installer['id'];
  readonly title: string;
  readonly fields: readonly { readonly path: readonly string[]; readonly value: string; readonly because: string }[];
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

/**
 * Without these, plugins are installed in folders that are not read, and nodes stay NotReady. Tools without a row use the operator's defaults: RKE2, Talos, and
 * K3s that was made with `--flannel-backend=none`, whose containerd names folders of its own only for its own flannel (k3s-io/k3s
 * pkg/agent/templates/templates_linux.go; read 2026-11-23).
 */
export const nodeFolders: readonly NodeFolders[] = [
  {
    installer: 'microk8s',
    title: 'MicroK8s',
    fields: [
      {
        path: ['cni', 'binDir'],
        value: '/var/snap/microk8s/current/opt/cni/bin',
        because: 'The containerd of MicroK8s looks for CNI plugins in its snap alone.',
      },
      {
        path: ['cni', 'confDir'],
        value: '/var/snap/microk8s/current/args/cni-network',
        because: 'The containerd of MicroK8s reads the configuration of the network in its snap alone.',
      },
      {
        path: ['kubeletVolumePluginPath'],
        value: '/var/snap/microk8s/common/var/lib/kubelet',
        because: 'The kubelet of MicroK8s keeps its data in its snap.',
      },
    ],
    source:
      'canonical/microk8s microk8s-resources/default-args/containerd-template.toml, microk8s-resources/default-args/kubelet',
    read: '2026-11-23',
  },
  {
    installer: 'k0s',
    title: 'k0s',
    fields: [
      {
        path: ['flexVolumePath'],
        value: '/usr/libexec/k0s/kubelet-plugins/volume/exec/',
        because: 'The kubelet of k0s looks for FlexVolume drivers in a folder of its own.',
      },
      {
        path: ['kubeletVolumePluginPath'],
        value: '/var/lib/k0s/kubelet',
        because: 'The kubelet of k0s keeps its data in a folder of its own.',
      },
    ],
    source: 'k0sproject/k0s pkg/component/worker/kubelet.go, docs/configuration.md',
    read: '2026-11-23',
  },
];
