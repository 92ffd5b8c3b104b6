import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChangesOfRun } from '#lib/flows/index.ts';
import { privateFolder } from '#lib/folders/index.ts';
import { type Report, writeStateFile } from '#lib/run/index.ts';
import type { Slug } from '../../host.ts';
import type { FlowHistories } from '../../streams/index.ts';
import type { HostLog } from '../host-log.ts';
import { trafficSince } from './traffic-since.ts';

export type KeptTraffic = {
  /** What is known of a run of this installation, from the history while that reaches back, then as it was last told. Null: nothing ever was. */
  of(cluster: Slug, report: Pick<Report, 'run' | 'startedAt' | 'endedAt'>): Promise<ChangesOfRun | null>;
};

const span = z.object({ since: z.number(), until: z.number() });
const changesSchema = z.object({
  pairs: z.array(
    z.object({
      state: z.enum(['denied', 'silent']),
      from: z.string(),
      to: z.string(),
      protocol: z.string(),
      port: z.number(),
      connections: z.number(),
      seen: z.number(),
      why: z.string(),
      query: z.string(),
    }),
  ),
  talked: z.number(),
  untold: z.number(),
  before: span,
  since: span,
  secondsBefore: z.number(),
  secondsSince: z.number(),
  isCut: z.boolean(),
}) satisfies z.ZodType<ChangesOfRun>;
const fileSchema = z.object({
  apiVersion: z.literal('signalbox.dev/v1'),
  kind: z.literal('TrafficOfRun'),
  changes: changesSchema,
});

/** A comparison that has seen so much more is worth another file. */
const grownBy = 1.2;

/** Keeps with each run that has ended what flows said of it, as long as its journal: the history of flows is kept for days alone. */
export function keptTraffic({
  stateFolder,
  histories,
  log,
}: {
  stateFolder: string;
  histories: Pick<FlowHistories, 'kept'>;
  log: HostLog;
}): KeptTraffic {
  const fileOf = (cluster: Slug, run: string) =>
    join(privateFolder(join(stateFolder, 'traffic'), 'XDG_STATE_HOME'), `${cluster}.${run}.json`);

  const read = async (path: string): Promise<ChangesOfRun | null> => {
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
  /** Says more than what is kept: of no less time before the run, and of more since. */
  const isMore = (now: ChangesOfRun, kept: ChangesOfRun | null) =>
    kept === null || (now.secondsBefore >= kept.secondsBefore && now.secondsSince > kept.secondsSince * grownBy);

  return {
    of: async (cluster, report) => {
      const path = fileOf(cluster, report.run);
      const [now, kept] = await Promise.all([trafficSince(histories, cluster, report), read(path)]);
      if (now === null || (kept !== null && now.secondsBefore < kept.secondsBefore)) return kept;
      if (report.endedAt !== null && isMore(now, kept))
        await writeStateFile(path, { apiVersion: 'signalbox.dev/v1', kind: 'TrafficOfRun', changes: now }).catch(
          (error: unknown) => log(`what flows said of run ${report.run} was not kept`, error),
        );
      return now;
    },
  };
}
