import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { changesSchema } from '#lib/flows/changes/changes-schema.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { type Report, type RunMemory, removeTraffic, trafficFile, writeStateFile } from '#lib/run/index.ts';
import { type ComparedHistories, trafficSince } from './traffic-since.ts';

export type KeptTraffic = {
  /**
   * What is known of a run of this installation, from the history while that reaches back, then as it was last told. Null: nothing ever was, it cannot be
   * read, which the log tells, or the run is a foreign one, whose times are somebody else's word. Never rejects: no report is held up by it. `cluster`: as
   * the console calls it in addresses.
   */
  of(cluster: string, report: Pick<Report, 'run' | 'startedAt' | 'endedAt' | 'foreign'>): Promise<ChangesOfRun | null>;
};

const fileSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('TrafficOfRun'),
  changes: changesSchema,
});

/** A comparison that has seen so much more is worth another file. */
const grownBy = 1.2;

/** Keeps with each run that has ended what flows said of it, as long as the run is remembered: the history of flows is kept for days alone. */
export function keptTraffic({
  stateFolder,
  histories,
  memory,
  log,
}: {
  stateFolder: string;
  histories: ComparedHistories;
  memory: Pick<RunMemory, 'recall'>;
  /** `cause` is for whoever looks for a fault. */
  log: (line: string, cause?: unknown) => void;
}): KeptTraffic {
  const read = async (cluster: string, run: string): Promise<ChangesOfRun | null> => {
    const path = trafficFile(stateFolder, cluster, run);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return null;
    try {
      return fileSchema.parse(JSON.parse(text)).changes;
    } catch (error) {
      log(`${path} cannot be read: what flows said of this run is not shown`, error);
      return null;
    }
  };
  const write = async (cluster: string, run: string, changes: ChangesOfRun, isFirst: boolean) => {
    // A run whose memory was removed by hand, or by an earlier version, leaves nothing behind.
    if (isFirst) await removeTraffic(stateFolder, async (of) => of !== run && (await memory.recall(of)) === null);
    const path = trafficFile(stateFolder, cluster, run);
    await writeStateFile(path, { apiVersion: 'signalbox.dev/v1', kind: 'TrafficOfRun', changes });
  };

  return {
    of: async (cluster, report) => {
      const { run, endedAt, foreign } = report;
      if (foreign !== null) return null;
      const unread = (error: unknown) => {
        log(`what flows said of run ${run} cannot be read`, error);
        return null;
      };
      const [now, kept] = await Promise.all([
        trafficSince(histories, cluster, report).catch(unread),
        read(cluster, run).catch(unread),
      ]);
      if (now === null || (kept !== null && isLess(now, kept))) return kept;
      if (endedAt !== null && (kept === null || isWorthKeeping(now, kept)))
        await write(cluster, run, now, kept === null).catch((error: unknown) =>
          log(`what flows said of run ${run} was not kept`, error),
        );
      return now;
    },
  };
}

/** Of less time before the run, or not complete where the other is: silence is not told then. */
const isLess = (now: ChangesOfRun, kept: ChangesOfRun) =>
  now.secondsBefore < kept.secondsBefore || (now.isCut && !kept.isCut);

const isWorthKeeping = (now: ChangesOfRun, kept: ChangesOfRun) =>
  now.secondsSince > kept.secondsSince * grownBy || (kept.isCut && !now.isCut);
