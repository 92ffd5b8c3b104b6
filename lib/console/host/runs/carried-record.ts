import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeStateFile } from '#lib/run/index.ts';
import type { Slug } from '../../host.ts';
import type { HostLog } from '../host-log.ts';
import { oneAtATime } from '../one-at-a-time.ts';

/** The clusters on which this installation was carrying a run when its process last wrote. */
export type CarriedRecord = {
  all(): Promise<Slug[]>;
  add(cluster: Slug): Promise<void>;
  remove(cluster: Slug): Promise<void>;
};

const recordSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('CarriedRuns'),
  clusters: z.array(z.string()),
});

/**
 * Lets a start connect only to clusters on which a run of ours may be waiting, and to no other of the kubeconfig. It says only where to look, and is
 * written before a run starts; the truth about the run is its journal in the cluster.
 */
export function carriedRecord({ stateFolder, log }: { stateFolder: string; log: HostLog }): CarriedRecord {
  const path = join(stateFolder, 'carried.json');
  const inTurn = oneAtATime();

  const read = async (): Promise<Slug[]> => {
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return [];
    try {
      return recordSchema.parse(JSON.parse(text)).clusters;
    } catch (error) {
      log(`${path} cannot be read: no run continues by itself: continue each from its page`, error);
      return [];
    }
  };
  const change = (edit: (clusters: Slug[]) => Slug[]): Promise<void> =>
    inTurn('record', async () => {
      const clusters = edit(await read());
      await writeStateFile(path, { apiVersion: 'signalbox.dev/v1', kind: 'CarriedRuns', clusters });
    });

  return {
    all: read,
    add: (cluster) => change((clusters) => [...new Set([...clusters, cluster])]),
    remove: (cluster) => change((clusters) => clusters.filter((one) => one !== cluster)),
  };
}
