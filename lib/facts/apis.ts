import type { KubeObject } from '#lib/kube/index.ts';
import { defineCollector } from './collector.ts';
import { allOf } from './coverage.ts';
import { fields, listOf, text } from './lenient.ts';
import { servedApis } from './query.ts';
import { calicoApiService } from './sources.ts';

const schema = fields({
  status: fields({ conditions: listOf(fields({ type: text, status: text, message: text, reason: text })) }),
});

/** True: Available. False: registered and not Available. */
function isAvailable(apiService: KubeObject): boolean {
  return schema
    .parse(apiService)
    .status.conditions.some(({ type, status }) => type === 'Available' && status === 'True');
}

/** Its own words for why not; null: it is available, or says nothing. */
function whyUnavailable(apiService: KubeObject): string | null {
  const told = schema.parse(apiService).status.conditions.find(({ type }) => type === 'Available');
  if (!told || told.status === 'True') return null;
  return told.message || told.reason || null;
}

export const apis = defineCollector({
  id: 'apis',
  tells: ['apis'],
  reads: { calicoApiService, servedApis },
  collect: (read) => {
    const { value: service } = read.calicoApiService;
    return {
      resources: {
        apis: { v3Available: service && isAvailable(service), failing: [...read.servedApis.value.failing] },
        v3Unavailable: service && whyUnavailable(service),
      },
      // Where the APIService was read, whether v3 answers is known even when discovery is refused.
      coverage: { apis: allOf(read.calicoApiService) },
    };
  },
});
