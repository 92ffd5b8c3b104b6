import { cniPaths } from '../../objects/operator-paths.ts';
import { instructions, ownDns, read } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';

const withRelease = (path: string, field: string) => `${path} (${field}; the field exists from v3.30.4 and v3.31.0 on)`;

export const talosGuide: PlatformGuide = {
  id: 'talos',
  kind: 'talos',
  title: 'Talos Linux',
  tell: 'osImage begins with `Talos`.',
  ebpf: 'supported',
  because: 'A generic platform with an immutable system.',
  endpoint: {
    host: 'the cluster’s endpoint: a load balancer, a record, or a virtual address; never KubePrism (`localhost:7445`)',
    port: '6443',
    stable: 'The endpoint that was given to `talosctl gen config`.',
  },
  proxy: {
    runsAs: 'DaemonSet kube-system/kube-proxy, written from the machine configuration',
    off: instructions('talos'),
  },
  createFlags: ['cluster:\n  network:\n    cni:\n      name: none\n  proxy:\n    disabled: true'],
  flexVolumePath: {
    unknown:
      'The operator’s default lies below /usr, which cannot be written. Set `None`, or a writable folder that the kubelet reads: its flag `--volume-plugin-dir` names it.',
  },
  cni: cniPaths.other,
  cgroupPath: withRelease('/sys/fs/cgroup', 'FelixConfiguration cgroupV2Path'),
  provider: { value: '', by: 'none' },
  dns: ownDns,
  notes: [
    {
      text: 'Its guide sets Installation kubeletVolumePluginPath: None.',
      source: 'https://docs.siderolabs.com/kubernetes-guides/cni/deploy-calico',
    },
    {
      text: 'Its containerd is given no CNI folders, so that it looks where the operator puts plugins and configuration; below /opt and /etc/cni its read-only system can be written.',
      source:
        'siderolabs/talos hack/cri-plugin.part and pkg/machinery/constants/constants.go (Overlays), read 2026-11-24',
    },
    { text: 'KubePrism is not listening on every node after each upgrade of the system.', source: 'pain.md §1 A13' },
    {
      text: 'In lockdown the kernel log fills with refusals before v3.31.7; nothing fails.',
      source: 'pain.md §2 V22',
    },
  ],
  source:
    'operations.md › proxy.instructions; https://docs.siderolabs.com/kubernetes-guides/cni/deploy-calico; https://docs.siderolabs.com/kubernetes-guides/cni/deploying-cilium; calico.md §2.1; checks.md › endpoint.not-local',
  read,
};
