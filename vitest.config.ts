import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.mjs';

/**
 * A test that hangs is ended by this; every wait inside has a limit of its own, which names what did not come. No test is failed by a machine that
 * is busy with others.
 */
const longestMs = 900_000;

/** Left alone `expect.poll` gives up after a second. */
const expect = { poll: { timeout: 90_000 } };

/** The first removes each file's folders; the second says what each file takes of the processor, where `npm test` asks for it. */
const setupFiles = ['scripts/test/folders-of-file.mjs', 'scripts/test/cpu-of-file.mjs'];

const resolve = {
  alias: [
    { find: /^fast-check$/, replacement: fileURLToPath(new URL('scripts/test/fast-check.mjs', import.meta.url)) },
  ],
};

/** One project a suite (design: testing). `scripts/test.mjs` runs them; `npx vitest --project unit` works while developing. */
export default defineConfig({
  test: {
    // A suite finds what another one, or the run before, has compiled: it took each of them five seconds of the processor.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'static', include: ['scripts/{architecture,pins}/*.test.ts'], setupFiles } },
      {
        resolve,
        test: {
          name: 'unit',
          include: [
            'lib/**/*.test.ts',
            'components/**/*.test.{ts,tsx}',
            'e2e/cli/**/*.test.ts',
            'e2e/sandbox/**/*.test.ts',
            'scripts/{setup,start,test}/*.test.ts',
          ],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          // Files of one worker share their modules: to load them anew for each took longer than the tests. A test puts back what it changes globally.
          isolate: false,
          // Left alone it takes one worker less than there are cores, which is one of two.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'console',
          include: ['e2e/console/**/*.test.ts'],
          globalSetup: ['scripts/test/console-build.mjs'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/browser/**/*.test.ts'],
          globalSetup: ['scripts/test/console-build.mjs'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        resolve,
        test: {
          name: 'hostile',
          include: ['e2e/hostile/**/*.test.ts'],
          globalSetup: ['scripts/test/console-build.mjs'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        resolve,
        test: {
          name: 'contract',
          include: ['e2e/contract/**/*.test.ts'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'kernels',
          include: ['e2e/{kernels,probe}/**/*.test.ts'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          // With a third, the probe's own measurements failed beside two emulated machines.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'dataplane',
          include: ['e2e/dataplane/**/*.test.ts'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          // A thread goes into other network namespaces: threads of one process share nothing of that, but their working folder and their exit.
          pool: 'forks',
          isolate: false,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'cluster',
          include: ['e2e/{cluster,controlplane}/**/*.test.ts'],
          setupFiles,
          testTimeout: longestMs,
          hookTimeout: longestMs,
          expect,
          isolate: false,
          // A third of the time goes by waiting for rollouts.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
