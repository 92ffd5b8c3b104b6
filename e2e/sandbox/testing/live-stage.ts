import { type Live, makeLive } from '#lib/console/streams/index.ts';
import type { Kube } from '#lib/kube/index.ts';
import { type FlagsByProgram, noFlags } from '#lib/text/index.ts';
import { openStage, type Stage, type StageWish } from './stage.ts';

/** A cluster in memory, and what a console tells its pages of it as `a-cluster`. */
export type LiveStage = {
  readonly stage: Stage;
  readonly live: Live;
  close(): Promise<void>;
};

/** `consoleOf`: by which line the console reaches the cluster; without it as Signalbox's user. `flags`: how commands on its pages name it. */
export async function openLiveStage(
  wish: StageWish,
  consoleOf: (stage: Stage) => Kube = ({ ours }) => ours,
  flags: FlagsByProgram = noFlags,
): Promise<LiveStage> {
  const stage = await openStage(wish);
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

/** A user whose line to the cluster can be cut without touching anybody else's. */
export function consoleUser({ store }: Stage): Kube {
  return store.as({ name: 'console', rules: [{ verbs: ['*'], groups: ['*'], resources: ['*'] }] });
}
