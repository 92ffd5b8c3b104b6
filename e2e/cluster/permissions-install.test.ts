import { testInstalls } from './testing/install-journey.ts';

testInstalls([{ platform: 'kubeadm', version: 'v3.31.4', dataplane: 'BPF', by: 'applicant' }]);
