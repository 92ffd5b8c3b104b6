import type { Gate } from '#lib/spec/index.ts';

/** Releases that can be installed, and the progress of the wanted one's files. */
export type ReleaseStepData = {
  offers: readonly ReleaseOffer[];
  progress: ReleaseProgress;
  /** The source of files if none is chosen. */
  unnamed: 'public' | 'sandbox';
  /** Published names of the files that an installation needs, for machines without a network. */
  needs: readonly string[];
};

/** An offered release. `because`: why, or a remark. `advice`: its known issues, worst first. */
export type ReleaseOffer = {
  version: string;
  operator: string;
  /** `described`: the release that the product's specification names. */
  standing: 'proposed' | 'described' | 'other';
  because: string;
  advice: readonly { gate: string; action: Gate['action']; condition: string; advice: string }[];
};

/** The files of one release from one source. `source`: an address or a path; null: the public address, or a sandbox's own. */
export type WantedFiles = {
  version: string;
  source: string | null;
  from: 'public' | 'mirror' | 'files' | 'sandbox';
  airGapped: boolean;
};

/** In bytes; `total` is null if the server did not report it. */
export type FileProgress = { file: string; received: number; total: number | null };

/** `notice`: a sentence if the files are not, or cannot be verified as, the published ones. */
export type ReleaseProgress = { wanted: WantedFiles; notice: string | null } & (
  | { kind: 'not-asked' }
  | { kind: 'opening'; files: FileProgress[] }
  | {
      kind: 'open';
      operator: string;
      /** The source in words. */
      source: string;
      files: { file: string; sha256: string; objects: number }[];
      images: ReleaseImages;
    }
  | { kind: 'failed'; code: string; message: string; files: FileProgress[] }
);

/** Images that a mirror must have. `missing`: what this list lacks, and where to find it. */
export type ReleaseImages = { images: readonly string[]; missing: string | null };
