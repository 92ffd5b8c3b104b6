export { askConsole } from './ask-console.ts';
export { newestBuild } from './http/find-build.ts';
export { isBuild } from './http/next-handler.ts';
export type { ConsoleLog } from './log/console-log.ts';
export { plainName } from './sign-in/own-name.ts';
export { type ConsoleStart, type StartedConsole, startConsole } from './start-console.ts';
export { type HistorySettings, usualHistory } from './streams/index.ts';
