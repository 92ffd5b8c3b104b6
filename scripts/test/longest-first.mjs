import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { root } from '../setup/root.mjs';

/**
 * Files that take longest beside others (measured 2026-11-24), as parts of their paths. Vitest knows what each took in the run before, in its own cache;
 * without that it begins with the largest files, and a journey of two minutes that is six lines of a table comes last, with nothing beside it.
 */
export const longest = [
  ...['cluster/killed', 'cluster/preflight', 'cluster/upgrade/', 'cluster/install-', 'cluster/permissions'],
  ...['cluster/agents-that', 'cluster/enable-and-undo', 'cluster/operator'],
  ...['browser/enable-and-undo', 'browser/flows', 'browser/two-consoles', 'browser/real-cluster'],
  ...['hostile/least-privilege', 'hostile/plan-file'],
  // Emulated machines wait for each other (e2e/kernels/testing/emulator.ts); a probe waits for most of its time.
  ...['kernels/traffic', 'probe/probe-script', 'kernels/node-devices', 'probe/watch-services', 'kernels/programs-load'],
  ...['sandbox/forged-plans', 'killed/kill-enable', 'operator/operator'],
];

export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted
      .map((file) => ({ file, rank: rankOf(relative(root, file.moduleId)) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ file }) => file);
  }
}

/** Files that are not in the table keep the order among themselves, and come after it. @param {string} path */
export function rankOf(path) {
  const rank = longest.findIndex((part) => path.includes(part));
  return rank < 0 ? longest.length : rank;
}
