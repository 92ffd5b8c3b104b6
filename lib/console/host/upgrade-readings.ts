import type { Facts } from '#lib/facts/index.ts';
import { type Releases, type UpgradeFiles, withUpgradeFiles } from '#lib/run/index.ts';
import type { Choices } from '#lib/spec/index.ts';
import type { ClusterEntry } from '../host.ts';
import type { UsedCluster } from './open-clusters.ts';
import { type ReleaseDesk, staysHere, wantedContents } from './release-desk.ts';

type Use = <T>(work: (used: UsedCluster) => Promise<T>) => Promise<T>;

export type UpgradeReadings = {
  /** The facts with what the checks of an upgrade compare with; nothing more for other goals, and where nothing is at hand. */
  of(kind: ClusterEntry['kind'], facts: Facts, choices: Choices, use: Use): Promise<UpgradeFiles>;
};

/**
 * What the checks of an upgrade compare with: the files of both releases, and what the server says to those of the target. As on the command line
 * nothing is fetched unasked: only what a sandbox has in itself, or what a source was named for; and of an address only what this machine kept.
 * Read once for each reading of the cluster and each answer that decides it.
 */
export function upgradeReadings(options: {
  desk: ReleaseDesk;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): UpgradeReadings {
  const { desk, env, signal } = options;
  const known = new WeakMap<Facts, Map<string, Promise<UpgradeFiles>>>();

  const releasesFor =
    (kind: ClusterEntry['kind']): Releases =>
    async ({ version, source, airGapped, platform, also = [] }) => {
      const wanted = { ...wantedContents({ source, airGapped }, kind, platform, version), also };
      if (staysHere(wanted, env)) return desk.open(wanted);
      await desk.openKept(wanted);
      const contents = desk.peek(wanted);
      if (contents === null) throw new Error(`The files of ${version} are not on this machine.`);
      return contents;
    };

  const read = async (kind: ClusterEntry['kind'], facts: Facts, choices: Choices, use: Use): Promise<UpgradeFiles> => {
    try {
      return await use(({ kube }) => withUpgradeFiles(facts, choices, { kube, releases: releasesFor(kind), signal }));
    } catch (error) {
      if (signal.aborted) throw error;
      // Without them the checks that compare with them say what is missing.
      return { facts, files: {} };
    }
  };

  return {
    of: (kind, facts, choices, use) => {
      const { goal, release, source, airGapped, platform } = choices;
      if (goal !== 'upgrade' || (source === undefined && kind !== 'sandbox'))
        return Promise.resolve({ facts, files: {} });
      const byAnswers = known.get(facts) ?? new Map<string, Promise<UpgradeFiles>>();
      known.set(facts, byAnswers);
      const key = JSON.stringify([release ?? null, source ?? null, airGapped ?? false, platform ?? null]);
      const reading = byAnswers.get(key) ?? read(kind, facts, choices, use);
      byAnswers.set(key, reading);
      return reading;
    },
  };
}
