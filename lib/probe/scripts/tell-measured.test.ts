import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { probeScript } from './scripts.ts';

const functions = ['tell', 'tell_measured'].map(
  (name) => new RegExp(`^${name}\\(\\) \\{(?:.* \\}$|[\\s\\S]*?^\\}$)`, 'm').exec(probeScript)?.[0] ?? '',
);

/**
 * What bash does on a node that is busy, here for the first line: it reads a line to its end, and yet says that the time is over. Of 1,500 lines of 3,000
 * characters, read with a limit of 1.5 ms, bash 5.2 did so with 173. A limit of 0 is a question, and reads nothing.
 */
const lateRead = `read() {
  local code
  builtin read "$@"
  code=$?
  case " $* " in *' -t 0 '*) return $code ;; *' -t '*) ;; *) return $code ;; esac
  [ -z "$was_late" ] || return $code
  was_late=1
  return 142
}
was_late=`;

test('a line whose end comes just as the time is over stays a line of its own', () => {
  const script = [
    ...['version=1', ...functions, lateRead],
    `exec {source}< <(printf '{"first":1}\\n'; sleep 0.05; printf '{"second":2}\\n{"third":3}\\n')`,
    'pipes=("$source")',
    'until tell_measured; do sleep 0.01; done',
  ];
  const output = execFileSync('bash', ['--norc', '-c', script.join('\n')], { encoding: 'utf8' });
  expect(output.trim().split('\n')).toEqual([
    '{"first":1}',
    '{"second":2}',
    '{"third":3}',
    '{"v":1,"probe":"measured"}',
  ]);
});
