import { openRelease, type Progress, type ReleaseOptions, type WantedRelease } from '#lib/release/index.ts';
import type { ReleaseContents } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { releaseCache } from './release-cache.ts';

/** The release that the flags name, and options to open it; each download is reported on stderr. */
export async function wantedFiles(
  { flags, env, signal, terminal }: Invocation,
  version: string,
): Promise<{ wanted: WantedRelease; options: ReleaseOptions }> {
  const wanted = {
    version,
    source: flags.text('source'),
    airGapped: flags.has('air-gapped'),
    platform: flags.has('openshift') ? ('openshift' as const) : undefined,
  };
  const onProgress = ({ file, received, total }: Progress) => {
    if (terminal.verbosity !== 'quiet' && received === total) terminal.err(`${file}: ${kilobytes(received)}`);
  };
  return { wanted, options: { ...(await releaseCache(env, terminal)), signal, onProgress } };
}

export async function openFiles(invocation: Invocation, version: string): Promise<ReleaseContents> {
  const { wanted, options } = await wantedFiles(invocation, version);
  return openRelease(wanted, options);
}

const kilobytes = (bytes: number) =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
