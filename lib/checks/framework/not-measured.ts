import type { Result } from '../check.ts';

/**
 * The name that accepts all findings that wait for a test on the nodes: `--acknowledge not-measured=REASON` (cli.md › Choices). It accepts no failure and no
 * other unknown, such as one that was refused or not read.
 */
export const notMeasuredGroup = 'not-measured';

type Unknown = Extract<Result, { kind: 'unknown' }>;

/**
 * The result of a check that a test on each node must decide (*probe* in checks.md) and that nothing read so far makes fail: *unknown*. `because`: what
 * depends on it; `measurement`: how it will be measured; both are sentences.
 */
export function notMeasured(
  because: string,
  measurement: string,
  rest: Omit<Unknown, 'kind' | 'because'> = {},
): Unknown {
  return { kind: 'unknown', because: `Not tested: ${because}`, ...rest, notMeasured: measurement };
}
