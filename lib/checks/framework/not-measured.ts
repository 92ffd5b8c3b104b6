import type { Result } from '../check.ts';

/**
 * Name under which everything that waits for a measurement can be acknowledged together: `--acknowledge not-measured=REASON` (cli.md › Choices).
 * It covers no other unknown and no fail. What was refused or not read stays a question of its own.
 */
export const notMeasuredGroup = 'not-measured';

type Unknown = Extract<Result, { kind: 'unknown' }>;

/**
 * The answer of a *probe* row (checks.md) where nothing that can be read speaks against it: *unknown* until a preflight pod on each node
 * has measured it. `because` says what depends on it, `measurement` how it will be measured; both are sentences.
 */
export function notMeasured(
  because: string,
  measurement: string,
  rest: Omit<Unknown, 'kind' | 'because'> = {},
): Unknown {
  return { kind: 'unknown', because: `Not tested: ${because}`, ...rest, notMeasured: measurement };
}
