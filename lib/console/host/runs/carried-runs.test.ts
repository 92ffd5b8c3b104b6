import { expect, test } from 'vitest';
import { clusterSlug } from '../clusters/cluster-slug.ts';
import { carriedRuns } from './carried-runs.ts';

const cluster = clusterSlug('sandbox', 'standard');

test('a run that is continued counts as carried here before its first event: its journal says earlier that it moves', async () => {
  const never = new Promise<never>(() => undefined);
  const runs = carriedRuns({
    clusters: { acquire: () => never },
    publisher: () => ({ tell: () => undefined, end: () => undefined }),
    signal: new AbortController().signal,
  } as never);
  void runs.carry(cluster, 'undo', () => never, '20261123-2021-5a02');
  expect(await runs.carrying({ slug: cluster } as never, '20261123-2021-5a02')).toMatchObject({ cluster });
  expect(await runs.carrying({ slug: cluster } as never, '20261123-2021-0000')).toBeNull();
});
