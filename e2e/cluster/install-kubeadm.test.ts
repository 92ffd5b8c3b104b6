import { testInstalls } from './testing/install-journey.ts';

testInstalls([
  { platform: 'kubeadm', version: 'v3.31.4', dataplane: 'Iptables' },
  { platform: 'kubeadm-without-proxy', version: 'v3.30.7', dataplane: 'BPF' },
]);
