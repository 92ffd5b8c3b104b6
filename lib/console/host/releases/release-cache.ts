import { messageOf } from '#lib/base/message-of.ts';
import { imagePartsOf } from '#lib/installation/index.ts';
import { openRelease, ReleaseError, withCustomResources } from '#lib/release/index.ts';
import { cacheKey, type Manifests, type WantedRelease } from '#lib/run/index.ts';
import { sandboxReleaseOn } from '#lib/sandbox/index.ts';
import {
  isPinned,
  type PlatformKind,
  planImages,
  type ReleaseContents,
  variantOf,
  verificationNotice,
} from '#lib/spec/index.ts';
import { manifestsOf } from '#lib/usecases/index.ts';
import type { ClusterEntry, FileProgress, ReleaseImages, ReleaseProgress, WantedFiles } from '../../host.ts';
import type { HostLog } from '../host-log.ts';

/** The release files that a draft needs. `platform`: OpenShift has its own bundle. */
export type WantedContents = WantedFiles & {
  platform: PlatformKind;
  /** For an installation by manifest: its file, in place of the operator's. */
  manifest?: string;
  /** Text of a custom resources file, in place of the release's own. */
  customResources?: string;
};

export type ReleaseCache = {
  progress(wanted: WantedContents): ReleaseProgress;
  /** Starts to open the files, also after a failure; joins if that is under way. */
  begin(wanted: WantedContents): void;
  /** The files. Rejects with ReleaseError. */
  open(wanted: WantedContents): Promise<ReleaseContents>;
  /** Opens what this machine has kept, without any connection. Changes nothing if a part is missing. */
  openKept(wanted: WantedContents): Promise<void>;
  /** The files if they are open. */
  peek(wanted: WantedContents): ReleaseContents | null;
  stop(wanted: WantedContents): void;
  /** Opens the very file that a plan names by its checksum, for a cluster of this kind. */
  manifests(kind: ClusterEntry['kind']): Manifests;
};

/** Number of releases in memory: each takes a few megabytes. */
const mostKept = 4;

type Work = {
  files: FileProgress[];
  abort: AbortController;
  opened: Promise<ReleaseContents>;
  contents: ReleaseContents | null;
  failure: { code: string; message: string } | null;
};

/**
 * Files of releases, shared by all drafts that need the same. What is downloaded is kept by its checksum on this machine (`lib/release`), so that
 * later processes need no network. Sandboxes have files of their own and need none.
 */
export function releaseCache(options: {
  env: NodeJS.ProcessEnv;
  /** Holds the key that seals cached files; null in tests that cache nothing. */
  stateFolder: string | null;
  log: HostLog;
  signal: AbortSignal;
  /** Replaces the network and the disk, for tests. */
  openFiles?: typeof openRelease;
}): ReleaseCache {
  const { env, stateFolder, log, signal, openFiles = openRelease } = options;
  const cache = async () => ({
    env,
    cacheKey: stateFolder === null ? null : await cacheKey(stateFolder),
    onNotice: (sentence: string) => log(sentence),
  });
  const works = new Map<string, Work>();

  const start = (wanted: WantedContents): Work => {
    const known = works.get(keyOf(wanted));
    if (known && known.failure === null) return known;
    const abort = new AbortController();
    const work: Work = {
      // Files that came before a failure stay listed until new ones come.
      files: known?.files ?? [],
      abort,
      opened: contentsOf(wanted, AbortSignal.any([signal, abort.signal]), (file) => tell(work, file)),
      contents: null,
      failure: null,
    };
    work.opened.then(
      (contents) => {
        work.contents = contents;
      },
      (error: unknown) => {
        work.failure = failureOf(error);
      },
    );
    keep(wanted, work);
    return work;
  };

  const keep = (wanted: WantedContents, work: Work): void => {
    works.delete(keyOf(wanted));
    works.set(keyOf(wanted), work);
    for (const old of [...works.keys()].slice(0, -mostKept)) works.delete(old);
  };

  const contentsOf = async (
    { version, source, from, airGapped, platform, manifest, customResources }: WantedContents,
    until: AbortSignal,
    onProgress: (file: FileProgress) => void,
  ): Promise<ReleaseContents> => {
    if (from === 'sandbox')
      return withCustomResources(sandboxReleaseOn(platform, version, manifest), customResources, until);
    return openFiles(
      { version, source: source ?? undefined, airGapped, platform, manifest, customResources },
      { ...(await cache()), signal: until, onProgress: (progress) => onProgress({ ...progress }) },
    );
  };

  return {
    progress: (wanted) => {
      const work = works.get(keyOf(wanted));
      const before = { wanted: publicPart(wanted), notice: noticeBefore(wanted) };
      if (!work) return { ...before, kind: 'not-asked' };
      if (work.failure) return { ...before, kind: 'failed', ...work.failure, files: work.files };
      if (!work.contents) return { ...before, kind: 'opening', files: work.files };
      const { operator, source, manifests } = work.contents;
      return {
        wanted: before.wanted,
        notice: verificationNotice(wanted.version, Object.values(manifests)),
        kind: 'open',
        operator,
        source,
        files: Object.values(manifests).map(({ file, sha256, objects }) => ({ file, sha256, objects: objects.length })),
        images: imagesOf(work.contents),
      };
    },
    begin: (wanted) => void start(wanted),
    open: (wanted) => start(wanted).opened,
    openKept: async (wanted) => {
      if (works.has(keyOf(wanted))) return;
      const abort = new AbortController();
      const opened = contentsOf(
        { ...wanted, airGapped: true },
        AbortSignal.any([signal, abort.signal]),
        () => undefined,
      );
      const contents = await opened.catch(() => null);
      if (contents !== null && !works.has(keyOf(wanted)))
        keep(wanted, { files: [], abort, opened, contents, failure: null });
    },
    peek: (wanted) => works.get(keyOf(wanted))?.contents ?? null,
    stop: (wanted) => works.get(keyOf(wanted))?.abort.abort(),
    manifests: (kind) => manifestsOf({ isSandbox: kind === 'sandbox', cache }),
  };
}

/** The files of this release for a cluster of this kind. */
export function wantedContents(
  { version, source, airGapped, platform, manifest, customResources }: WantedRelease,
  kind: ClusterEntry['kind'],
): WantedContents {
  // A sandbox uses its own files unless a source is named.
  const unnamed = kind === 'sandbox' ? 'sandbox' : 'public';
  const from = source === undefined ? unnamed : source.includes('://') ? 'mirror' : 'files';
  return {
    version,
    source: source ?? null,
    from,
    airGapped: airGapped ?? false,
    platform,
    ...(manifest !== undefined && { manifest }),
    ...(customResources !== undefined && { customResources }),
  };
}

/** Whether they can be opened without any connection, so that the user need not ask for it. */
export function staysHere({ from, airGapped }: WantedFiles, env: NodeJS.ProcessEnv): boolean {
  if (from === 'public' && env.SIGNALBOX_CALICO_DIR) return true;
  return from === 'sandbox' || from === 'files' || airGapped;
}

/** The images of the release as published. The chosen custom resources may need fewer, or others. */
function imagesOf(release: ReleaseContents): ReleaseImages {
  const { version, operator, manifests } = release;
  const kinds = Object.values(manifests).flatMap(({ objects }) => objects.map(({ kind }) => kind));
  const { images, missing } = planImages({
    release: version,
    operator,
    parts: imagePartsOf({}, kinds),
    variant: variantOf(release),
  });
  return { images: images.map(({ image }) => image), missing };
}

function tell(work: Work, progress: FileProgress): void {
  const at = work.files.findIndex(({ file }) => file === progress.file);
  work.files = at < 0 ? [...work.files, progress] : work.files.with(at, progress);
}

function failureOf(error: unknown): { code: string; message: string } {
  if (error instanceof ReleaseError) return { code: error.code, message: error.message };
  return { code: 'release.invalid', message: messageOf(error) };
}

/** The notice about a release whose files are not here yet. */
function noticeBefore({ version, from }: WantedContents): string | null {
  if (from === 'sandbox' || isPinned(version)) return null;
  return verificationNotice(version, [{ file: '', standing: 'unpinned' }]);
}

function publicPart({ version, source, from, airGapped }: WantedContents): WantedFiles {
  return { version, source, from, airGapped };
}

function keyOf({ version, source, from, airGapped, platform, manifest, customResources }: WantedContents): string {
  return JSON.stringify([
    version,
    source,
    from,
    airGapped,
    platform === 'openshift',
    manifest ?? null,
    customResources ?? null,
  ]);
}
