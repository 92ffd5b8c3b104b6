export type ReleaseErrorCode =
  /** No release of that number, or no file of that name, is known here. */
  | 'release.unknown'
  /** The folder that was named does not have the file. */
  | 'release.missing'
  /** The release address could not be reached, or answered with an error. */
  | 'release.unreachable'
  /** What came is not the file that was published: another checksum, or far too long. */
  | 'release.changed';

/** A release's file cannot be had. The message is for the user and says what to do. */
export class ReleaseError extends Error {
  override name = 'ReleaseError';
  readonly code: ReleaseErrorCode;

  constructor(code: ReleaseErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
