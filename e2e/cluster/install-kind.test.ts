import { testInstalls } from './testing/install-journey.ts';

testInstalls([
  { platform: 'kubeadm-without-proxy', version: 'v3.30.7', dataplane: 'BPF' },
  { platform: 'kind', version: 'v3.31.4', dataplane: 'BPF' },
]);
