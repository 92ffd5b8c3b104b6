import { conditionsOf, isTrue, type KubeObject } from '#lib/kube/index.ts';
import { defineCollector } from '../collector.ts';
import { allOf } from '../reading/coverage.ts';
import { servedApis } from '../reading/query.ts';
import { calicoApiService } from '../reading/sources.ts';

/** Why the APIService is not available, in the API server's words; null: it is, or it does not say. */
function whyUnavailable(apiService: KubeObject): string | null {
  const condition = conditionsOf(apiService).find(({ type }) => type === 'Available');
  if (!condition || condition.status === 'True') return null;
  return condition.message || condition.reason || null;
}

export const apis = defineCollector({
  id: 'apis',
  provides: ['apis'],
  reads: { calicoApiService, servedApis },
  collect: (read) => {
    const { value: service } = read.calicoApiService;
    return {
      resources: {
        apis: {
          v3Available: service && isTrue(conditionsOf(service), 'Available'),
          failing: [...read.servedApis.value.failing],
        },
        v3Unavailable: service && whyUnavailable(service),
      },
      // The APIService shows whether v3 answers, also if discovery was refused.
      coverage: { apis: allOf(read.calicoApiService) },
    };
  },
});
