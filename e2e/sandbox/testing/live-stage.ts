import { type Live, makeLive } from '#lib/console/streams/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type FlagsByProgram, noFlags } from '#lib/text/index.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';

/** A cluster in memory, and a console's streams about it, under the name `a-cluster`. */
export type LiveStage = {
  readonly stage: Stage;
  readonly live: Live;
  close(): Promise<void>;
};

/** `consoleOf`: makes the console's connection to the cluster; default: Signalbox's user. `flags`: how commands on its pages name the cluster. */
export async function openLiveStage(
  options: StageOptions,
  consoleOf: (stage: Stage) => Kube = ({ ours }) => ours,
  flags: FlagsByProgram = noFlags,
): Promise<LiveStage> {
  const stage = await openStage(options);
  const kube = consoleOf(stage);
  const live = makeLive({
    memory: stage.process().memory,
    acquire: async () => ({ kube, clock: stage.clock, name: 'a sandbox', flags, release: () => {} }),
  });
  return {
    stage,
    live,
    close: async () => {
      await live.close();
      await stage.close();
    },
  };
}

/** A user whose connection to the cluster a test can cut without affecting others. */
export function consoleUser({ store }: Stage): Kube {
  return store.as({ name: 'console', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] });
}
