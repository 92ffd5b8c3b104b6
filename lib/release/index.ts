export { releaseAddress } from './address.ts';
export { cacheFolder } from './cache-folder.ts';
export { type CalicoRelease, findRelease, releases } from './catalogue.ts';
export { checksumOf, filesOf } from './checksums.ts';
export type { Fetch } from './download.ts';
export { ReleaseError, type ReleaseErrorCode } from './release-error.ts';
export { type ReleaseFileOptions, releaseFile } from './release-file.ts';
