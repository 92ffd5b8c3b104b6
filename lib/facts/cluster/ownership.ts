import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { felixDefault, tracked } from '../reading/sources.ts';
import { marksOf } from './ownership-marks.ts';

/** Who else writes what a plan would change (checks `managed-by.*`). */
export const ownership = defineCollector({
  id: 'ownership',
  tells: ['ownership'],
  reads: {
    installation: tracked.installation,
    felixDefault,
    kubeProxy: tracked.kubeProxy,
    kubeProxyConfig: tracked.kubeProxyConfig,
    operator: tracked.operator,
    operatorEndpoint: tracked.operatorEndpoint,
  },
  collect: (read, { installation: { method } }) => ({
    resources: {
      ownership: Object.values(read).flatMap(({ value }) => (value === null ? [] : marksOf(value))),
    },
    // Whether the ConfigMap or the Deployment could be read does not decide who would revert a switch.
    coverage: {
      ownership: method.startsWith('manifest')
        ? allOf(read.felixDefault, read.kubeProxy)
        : allOf(read.installation, read.felixDefault, read.kubeProxy),
    },
  }),
});
