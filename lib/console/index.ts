export { askConsole } from './ask-console.ts';
export type { ConsoleLog } from './console-log.ts';
export { newestBuild } from './find-build.ts';
export { PortRefused } from './listen.ts';
export { isBuild } from './next-handler.ts';
export { plainName } from './own-name.ts';
export { type ConsoleStart, type StartedConsole, startConsole } from './start-console.ts';
