import type { Manifests } from '#lib/run/index.ts';
import type { Manifest, ManifestRef } from '#lib/spec/index.ts';

/**
 * The very file that a plan names by its checksum, from where the plan's choices say: a sandbox makes its own, unless a source was named. One
 * answer for both faces, as each carries on what the other began. `cache`: how this machine keeps releases; asked only where it is needed.
 * Rejects with ReleaseError, and with Error where a sandbox has no such file.
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
