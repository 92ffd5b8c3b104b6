export { cacheFolder, compiledFolder } from './cache-folder.ts';
export { FolderRefused, privateFolder } from './private-folder.ts';
export { stateFolder } from './state-folder.ts';
