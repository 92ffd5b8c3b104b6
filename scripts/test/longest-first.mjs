import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { root } from '../setup/root.mjs';

/**
 * Parts of the paths of the slowest test files when suites run beside each other (measured 2026-11-24). Vitest's cache has the times of the last run.
 * Without a cache, vitest begins with the largest files, and a two-minute journey of six lines would run last and alone.
 */
export const longest = [
  ...['cluster/killed', 'cluster/preflight', 'cluster/upgrade/', 'cluster/install-', 'cluster/permissions'],
  ...['cluster/silent-agents', 'cluster/enable-and-undo', 'cluster/operator'],
  ...['browser/enable-and-undo', 'browser/flows', 'browser/two-consoles', 'browser/real-cluster'],
  ...['hostile/least-privilege', 'hostile/plan-file'],
  // Two emulated machines run at a time (e2e/kernels/testing/emulator.ts); a probe waits for most of its time.
  ...['kernels/node-devices', 'kernels/traffic', 'probe/probe-script', 'kernels/programs-load', 'probe/watch-services'],
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

/** The rank of a file. Files that are not in the table come last and keep their order. @param {string} path */
export function rankOf(path) {
  const rank = longest.findIndex((part) => path.includes(part));
  return rank < 0 ? longest.length : rank;
}
