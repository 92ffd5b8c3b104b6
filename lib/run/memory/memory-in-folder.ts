import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plan } from '#lib/plan/index.ts';
import { journalSchema } from '../model/journal.ts';
import { isRunName } from '../model/read-journal.ts';
import { installId } from '../state-folder/identity.ts';
import { writeStateFile, writeWhole, writtenOnce } from '../state-folder/state-file.ts';
import { removeTraffic } from '../state-folder/traffic-files.ts';
import { unpackedPlan } from './packed-plan.ts';
import type { RunCopy } from './provenance-of.ts';
import type { RunMemory } from './run-memory.ts';

/**
 * The memory of an installation: `run-key` and `runs/` in its state folder, which only its owner may open. A copy that cannot be read counts as
 * missing: its run then needs a confirmation, and nothing is carried out by mistake.
 */
export async function memoryInFolder(stateFolder: string): Promise<RunMemory> {
  const install = await installId(stateFolder);
  const text = await writtenOnce(join(stateFolder, 'run-key'), () => randomBytes(32).toString('hex'));
  // Text that is not hex would be read as a shorter key, even an empty one, with which anybody could make a seal.
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(
      `${join(stateFolder, 'run-key')} is damaged: it holds no key. Remove it: earlier runs then count as another installation's.`,
    );
  const key = Buffer.from(text, 'hex');
  const folder = join(stateFolder, 'runs');
  /** The plan of a run rarely changes and may be large, so it is written only if it differs from the last one. */
  const written = new Map<string, Plan>();
  const pathOf = (run: string, what: 'journal.json' | 'plan.json.gz') => {
    if (!isRunName(run)) throw new RangeError(`${JSON.stringify(run)} is not the id of a run.`);
    return join(folder, `${run}.${what}`);
  };

  const recall: RunMemory['recall'] = async (run) => {
    if (!isRunName(run)) return null;
    try {
      const packed = await readFile(pathOf(run, 'plan.json.gz'));
      const journal = journalSchema.parse(JSON.parse(await readFile(pathOf(run, 'journal.json'), 'utf8')));
      return { plan: unpackedPlan(packed), journal };
    } catch {
      return null;
    }
  };

  return {
    sealer: { install, key },
    recall,
    ofCluster: async (uid) => {
      const files = await readdir(folder).catch(() => []);
      const runs = files.flatMap((file) => /^(.+)\.journal\.json$/.exec(file)?.[1] ?? []);
      const copies = await Promise.all(runs.map(recall));
      return copies.filter((one): one is RunCopy => one?.plan.clusterUid === uid);
    },
    keep: async ({ plan, journal }) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (written.get(journal.run) !== plan) {
        await writeWhole(pathOf(journal.run, 'plan.json.gz'), gzipSync(JSON.stringify(plan)));
        written.set(journal.run, plan);
      }
      await writeStateFile(pathOf(journal.run, 'journal.json'), journal);
    },
    forget: async (run) => {
      written.delete(run);
      await Promise.all([
        rm(pathOf(run, 'journal.json'), { force: true }),
        rm(pathOf(run, 'plan.json.gz'), { force: true }),
        removeTraffic(stateFolder, (of) => of === run),
      ]);
    },
  };
}
