import { expect, test } from 'vitest';
import { probeScript } from './scripts.ts';

/** e2e/cluster/preflight.test.ts counts them where a preflight is held to its time, as a busy machine's clock cannot tell of others. */
test('the script waits nowhere but where it is known to', () => {
  const code = probeScript.replaceAll(/^\s*#.*$/gm, '');
  const waits = code.match(/\bsleep \S+|\bread [^;|&]*?-t \S+|\btimeout \S+|\btell_measured \d\S*|\bwait\b.*/g);
  expect(waits).toEqual([
    // Only where something does not answer, with its try after the first.
    'read -r -d \'\' -n "$header_bytes" -t "$2"',
    'sleep 2',
    'timeout "$limit"',
    'timeout 10',
    // For all that is dialled at once.
    'wait',
    'read -r -t "$1"',
    // Programs and files that hang.
    ...['timeout 60', 'timeout 20', 'timeout 5', 'timeout 5'],
    // From try to try, and once all is told.
    ...['tell_measured 0.01', 'sleep 0.3', 'tell_measured 1;', 'sleep 1;'],
  ]);
});
