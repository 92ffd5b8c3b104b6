import { messageOf } from '#lib/base/message-of.ts';
import type { Manifests, Releases } from '#lib/run/index.ts';
import type { PlatformKind, ReleaseContents } from '#lib/spec/index.ts';
import { manifestsOf } from '#lib/usecases/index.ts';
import { usageError } from '../exit.ts';
import type { OpenCluster } from '../open-cluster.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { releaseCache } from './release-cache.ts';

/**
 * Sources of release files: a sandbox generates its own unless a source is named; otherwise the chosen source. Loads only what is used.
 */
export function releasePorts(
  { kube }: Pick<OpenCluster, 'kube'>,
  env: NodeJS.ProcessEnv,
  terminal: Pick<Terminal, 'err'>,
): { releases: Releases; manifests: Manifests } {
  const isSandbox = kube.source === 'sandbox';
  return {
    releases: async (wanted, signal) => {
      const { version, source, platform, manifest, customResources } = wanted;
      const isOwn = isSandbox && source === undefined;
      if (isOwn && customResources === undefined) return ofSandbox(version, platform, manifest);
      const { openRelease, withCustomResources } = await import('#lib/release/index.ts');
      if (!isOwn) return openRelease(wanted, { ...(await releaseCache(env, terminal)), signal });
      return withCustomResources(await ofSandbox(version, platform, manifest), customResources, signal);
    },
    manifests: manifestsOf({ isSandbox, cache: () => releaseCache(env, terminal) }),
  };
}

async function ofSandbox(
  version: string,
  platform: PlatformKind,
  manifest: string | undefined,
): Promise<ReleaseContents> {
  const { sandboxReleaseOn } = await import('#lib/sandbox/index.ts');
  try {
    return sandboxReleaseOn(platform, version, manifest);
  } catch (error) {
    throw usageError(`--release: ${messageOf(error)}`, error);
  }
}
