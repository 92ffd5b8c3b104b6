import { testInstalls } from './testing/install-journey.ts';
import { writeOpenshiftBundle } from './testing/openshift-bundle.ts';

/** From a bundle of its own, in which the API server is a placeholder and the definitions are missing. */
testInstalls([
  {
    platform: 'openshift',
    version: 'v3.31.4',
    dataplane: 'BPF',
    sourceIn: writeOpenshiftBundle,
    has: ['openshift.bundle', 'proxy.disable.openshift'],
  },
]);
