export type ReleaseErrorCode =
  /** The release or the file is unknown. */
  | 'release.unknown'
  /** The source is invalid: an unsupported scheme, credentials in a URL, another kind of file. */
  | 'release.source'
  /** The folder or bundle does not have the file; or, without network, the cache does not. */
  | 'release.missing'
  /** The release address could not be reached, or answered with an error. */
  | 'release.unreachable'
  /** The file is not the published one: another checksum, or too long. */
  | 'release.changed'
  /** The file cannot be parsed, or lacks what every release has. */
  | 'release.invalid'
  /** It cannot be stored: the disk is full, or the folder is not writable. */
  | 'release.disk'
  /** The caller's signal aborted. */
  | 'release.aborted';

/** A release's file is not available. The message is for the user and says what to do. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
  readonly code: ReleaseErrorCode;

  constructor(code: ReleaseErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
