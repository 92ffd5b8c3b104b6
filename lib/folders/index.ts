export { cacheFolder, compiledFolder } from './cache-folder.ts';
export { FolderRefused } from './private-folder.ts';
export { stateFolder } from './state-folder.ts';
