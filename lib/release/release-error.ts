export type ReleaseErrorCode =
  /** No release of that number, or no file of that name, is known here. */
  | 'release.unknown'
  /** What was named as the source is no source: another scheme, credentials in an address, a file of another kind. */
  | 'release.source'
  /** The folder or bundle that was named does not have the file; without the network, neither has the cache. */
  | 'release.missing'
  /** The release address could not be reached, or answered with an error. */
  | 'release.unreachable'
  /** What came is not the file that was published: another checksum, or far too long. */
  | 'release.changed'
  /** The file came, and is no file of a release: it cannot be read, or lacks what every release has. */
  | 'release.invalid'
  /** It cannot be kept on this machine: the disk is full, the folder may not be written. */
  | 'release.disk'
  /** The caller's signal. */
  | 'release.aborted';

/** A release's file cannot be had. The message is for the user and says what to do. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
  readonly code: ReleaseErrorCode;

  constructor(code: ReleaseErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
