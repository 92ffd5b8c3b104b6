import type { Manifests } from '#lib/run/index.ts';
import type { Manifest, ManifestRef } from '#lib/spec/index.ts';

/**
 * Opens the very file that a plan names by its checksum, from the source that the plan's choices name; a sandbox generates its own unless a source is
 * named. Both faces use this, because each may carry on a run that the other began. `cache`: how this machine keeps releases; called only if needed.
 * Rejects with ReleaseError, and with Error if a sandbox has no such file.
 */
export function manifestsOf({
  isSandbox,
  cache,
}: {
  isSandbox: boolean;
  cache: () => Promise<{ env: NodeJS.ProcessEnv; cacheKey: Uint8Array | null; onNotice: (sentence: string) => void }>;
}): Manifests {
  return async (ref, { choices: { source, airGapped, platform, customResources }, signal }) => {
    if (isSandbox && source === undefined) return manifestOfSandbox(ref);
    const { openManifest } = await import('#lib/release/index.ts');
    return openManifest(ref, { ...(await cache()), signal, source, airGapped, platform, customResources });
  };
}

async function manifestOfSandbox({ file, version }: ManifestRef): Promise<Manifest> {
  const { sandboxRelease } = await import('#lib/sandbox/index.ts');
  const manifest = sandboxRelease(version).manifests[file];
  if (!manifest) throw new Error(`A sandbox has no ${file} of ${version}.`);
  return manifest;
}
