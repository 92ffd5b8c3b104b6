import { flexVolumePaths } from '../../objects/operator-paths.ts';
import { instructions } from './guide-words.ts';
import type { PlatformGuide } from './platform-guide.ts';
import { rancher2 } from './rke2.ts';

export const k3sGuide: PlatformGuide = {
  ...rancher2,
  id: 'k3s',
  kind: 'k3s',
  title: 'K3s',
  tell: '`+k3s` in versions.',
  proxy: {
    runsAs: 'a part of the k3s process',
    off: instructions('k3s'),
  },
  createFlags: ['--flannel-backend=none', '--disable-network-policy', '--disable-kube-proxy'],
  flexVolumePath: flexVolumePaths.other,
  provider: { value: '', by: 'none' },
  notes: [
    {
      text: 'Made with --flannel-backend=none, its containerd looks for CNI plugins where the operator puts them. With its own flannel it looks in folders of its own, under /var/lib/rancher/k3s.',
      source: 'k3s-io/k3s pkg/agent/templates/templates_linux.go, read 2026-11-23',
    },
  ],
  source:
    'checks.md › platform.supported; operations.md › proxy.instructions; https://k3d.io/v5.5.0/usage/advanced/calico; calico.md §2.1; calico.md §9',
};
