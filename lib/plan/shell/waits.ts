import type { ObjectRef } from '#lib/spec/index.ts';
import { shellLine as line, shellWord as quote } from '#lib/text/index.ts';
import { jsonPath, objectArguments } from './resource-argument.ts';

/** Lines of shell that read with kubectl and wait. `command` and `test` are shell already; every other text becomes a word of it. */

/** The command that prints what the expression finds in the object; without the object it fails. */
export function output(target: ObjectRef, jsonpath: string): string {
  return line('kubectl', 'get', ...objectArguments(target), '-o', `jsonpath=${jsonpath}`);
}

/** The command that prints one field of the object; nothing if it is not set. */
export function field(target: ObjectRef, path: readonly string[]): string {
  return output(target, jsonPath(path));
}

/** Waits until all pods are those of the present template; fails after so many seconds. */
export function rolloutStatus(target: ObjectRef, seconds: number): string {
  const { resource, name, namespace } = target;
  return line(
    'kubectl',
    'rollout',
    'status',
    `${resource.kind.toLowerCase()}/${name}`,
    '-n',
    namespace ?? '',
    `--timeout=${seconds}s`,
  );
}

/**
 * Repeats the command until the test holds for `$found`, its output. Every answer is stored first, because `set -e` does not apply inside a condition: a
 * kubectl that fails would look like an empty answer, "gone".
 */
export function until(command: string, test: string): string {
  return `until found=$(${command}) || exit 1; ${test}; do sleep 5; done`;
}

/** Until the command prints exactly this. */
export function untilEqual(command: string, value: string): string {
  return until(command, `[ "$found" = ${quote(value)} ]`);
}

/** Until the command prints anything else. */
export function untilNotEqual(command: string, value: string): string {
  return until(command, `[ "$found" != ${quote(value)} ]`);
}

/** Until the command prints nothing. */
export function untilEmpty(command: string): string {
  return until(command, '[ -z "$found" ]');
}

/** Until none of these objects exists. */
export function untilDeleted(targets: readonly ObjectRef[]): string {
  return untilEmpty(line('kubectl', 'get', ...targets.flatMap(objectArguments), '-o', 'name', '--ignore-not-found'));
}

/** Until the lowest of the numbers that one command prints is the number of the other one, or greater. */
export function untilReached(numbers: string, wanted: string): string {
  const lowest = `$(printf '%s\\n' \${numbers:-0} | sort -n | head -n 1)`;
  return `until numbers=$(${numbers}) || exit 1; wanted=$(${wanted}) || exit 1; [ "${lowest}" -ge "$wanted" ]; do sleep 5; done`;
}
