import { testInstalls } from './testing/install-journey.ts';

testInstalls([
  { platform: 'kops', version: 'v3.30.7', dataplane: 'BPF', proxy: 'stays' },
  { platform: 'kind', version: 'v3.31.4', dataplane: 'BPF' },
]);
