import { expect, test } from 'vitest';
import { type Helper, withStandIns } from './helpers.ts';

/** Instructions as `llvm-objdump -d` shows their bytes. */
const code = (...lines: readonly string[]) => Buffer.from(lines.join('').replaceAll(' ', ''), 'hex');

const jiffies = '85 00 00 00 76 00 00 00';
const clock = '85 00 00 00 05 00 00 00';
const peer = '85 00 00 00 9b 00 00 00';
const exit = '95 00 00 00 00 00 00 00';

const all = () => true;
const none = () => false;
const allBut =
  (...names: readonly string[]) =>
  ({ name }: Helper) =>
    !names.includes(name);

test.each([
  ['has everything', [jiffies, peer, exit], all, null, []],
  ['lacks what this program does not call', [clock, exit], none, null, []],
  ['lacks a helper that another stands in for', [jiffies, exit, jiffies], none, [clock, exit, clock], []],
  [
    'lacks a helper that nothing stands in for',
    [jiffies, peer, exit],
    allBut('bpf_redirect_peer'),
    null,
    ['bpf_redirect_peer'],
  ],
  ['lacks one of each kind', [peer, jiffies], none, [peer, clock], ['bpf_redirect_peer']],
  ['lacks it, and a function of the program has its number', ['85 10 00 00 76 00 00 00'], none, null, []],
  ['lacks it, and a function of the kernel has its number', ['85 20 00 00 76 00 00 00'], none, null, []],
  ['lacks it, and a constant looks like it', ['18 01 00 00 76 00 00 00', '00 00 00 00 85 00 00 00'], none, null, []],
  ['lacks it, and another instruction has its number', ['b7 00 00 00 76 00 00 00'], none, null, []],
] as const)('of a kernel that %s', (_, given, has, expected, lacking) => {
  const before = code(...given);
  const after = withStandIns(before, has);
  expect(after.code).toEqual(expected && code(...expected));
  expect(after.lacking.map(({ name }) => name)).toEqual(lacking);
  expect(before, 'what was given stays').toEqual(code(...given));
});

test('a kernel is asked only of what a program calls, once', () => {
  const asked: string[] = [];
  withStandIns(code(jiffies, clock, jiffies), ({ name }) => {
    asked.push(name);
    return true;
  });
  expect(asked).toEqual(['bpf_jiffies64']);
});
