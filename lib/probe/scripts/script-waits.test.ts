import { expect, test } from 'vitest';
import { probeScript } from './scripts.ts';

/**
 * e2e/cluster/preflight.test.ts counts the waits where the duration of a preflight is tested, because a busy machine's clock proves nothing about
 * others.
 */
test('the script waits nowhere but where it is known to', () => {
  const code = probeScript.replaceAll(/^\s*#.*$/gm, '');
  const waits = code.match(/\bsleep \S+|\bread [^;|&]*?-t \S+|\btimeout \S+|\bwait\b.*/g);
  expect(waits).toEqual([
    // Only if something does not answer; includes the second attempt.
    'read -r -d \'\' -n "$header_bytes" -t "$2"',
    'sleep 2',
    'timeout "$limit"',
    'timeout 10',
    // For all connections that are opened at once.
    'wait',
    // Of nothing: it only says whether there is something.
    'read -r -t 0',
    // For programs and files that hang.
    ...['timeout 60', 'timeout 20', 'timeout 5', 'timeout 5'],
    // Between attempts, and after everything was printed.
    ...['sleep 0.3', 'sleep 0.1;', 'sleep 1;'],
  ]);
});
