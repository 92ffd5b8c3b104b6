import { inject } from 'vitest';
import { type AConsole, type ConsoleOptions, startConsole } from './console-process.ts';

export type { AConsole } from './console-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of a production build of the console's pages: scripts/test/console-build.mjs. */
    consoleBuild: string;
  }
}

/** A console on the build that all workers of this run of tests share. */
export function aConsole(options: Omit<ConsoleOptions, 'build'> = {}): Promise<AConsole> {
  return startConsole({ ...options, build: inject('consoleBuild') });
}
