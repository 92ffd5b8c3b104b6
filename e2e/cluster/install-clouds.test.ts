import { testInstalls } from './testing/install-journey.ts';

testInstalls([
  { platform: 'eks', version: 'v3.31.4', dataplane: 'BPF' },
  { platform: 'aks', version: 'v3.30.7', dataplane: 'BPF' },
]);
