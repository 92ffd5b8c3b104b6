import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { changesSchema } from '#lib/flows/changes/changes-schema.ts';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { type Report, type RunMemory, removeTraffic, trafficFile, writeStateFile } from '#lib/run/index.ts';
import { type ComparedHistories, trafficSince } from './traffic-since.ts';

export type KeptTraffic = {
  /**
   * How flows changed with a run of this installation: from the history if that reaches back far enough, else as it was stored. Null if nothing is
   * known, if it cannot be read (the log names the reason), or if the run is foreign, because its times cannot be trusted. Never rejects: a report
   * must not fail for it. `cluster`: the console's slug.
   */
  of(cluster: string, report: Pick<Report, 'run' | 'startedAt' | 'endedAt' | 'foreign'>): Promise<ChangesOfRun | null>;
};

const fileSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('TrafficOfRun'),
  changes: changesSchema,
});

/** A comparison is written again only if it covers this much more traffic. */
const grownBy = 1.2;

/** Stores how flows changed with each run that has ended, for as long as the run is remembered: the history of flows reaches back days only. */
export function keptTraffic({
  stateFolder,
  histories,
  memory,
  log,
}: {
  stateFolder: string;
  histories: ComparedHistories;
  memory: Pick<RunMemory, 'recall'>;
  /** `cause`: for debugging. */
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
    // Removes the files of runs whose memory was deleted by hand or by an earlier version.
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
      const [now, earlier] = await Promise.all([
        trafficSince(histories, cluster, report).catch(unread),
        read(cluster, run).catch(unread),
      ]);
      if (now === null || (earlier !== null && isLess(now, earlier))) return earlier;
      if (endedAt !== null && (earlier === null || isWorthKeeping(now, earlier)))
        await write(cluster, run, now, earlier === null).catch((error: unknown) =>
          log(`what flows said of run ${run} was not kept`, error),
        );
      return now;
    },
  };
}

/** Covers less time before the run, or is incomplete where the other is complete: a flow that is missing in it may still exist. */
const isLess = (now: ChangesOfRun, earlier: ChangesOfRun) =>
  now.secondsBefore < earlier.secondsBefore || (now.isCut && !earlier.isCut);

const isWorthKeeping = (now: ChangesOfRun, earlier: ChangesOfRun) =>
  now.secondsSince > earlier.secondsSince * grownBy || (earlier.isCut && !now.isCut);
