export { cacheFolder, compiledFolder } from './cache-folder.mjs';
export { writePrivateFile } from './private-file.ts';
export { FolderRefused, privateFolder } from './private-folder.mjs';
export { stateFolder } from './state-folder.ts';
export { temporaryFolder, temporaryFolders } from './temporary-folder.ts';
