import { expect, test } from 'vitest';
import { fitTo, type KernelPart } from './kernel-parts.ts';

/** Instructions in the form of `llvm-objdump -d`. */
const code = (...lines: readonly string[]) => Buffer.from(lines.join('').replaceAll(' ', ''), 'hex');

const jiffies = '85 00 00 00 76 00 00 00';
const clock = '85 00 00 00 05 00 00 00';
const fib = '85 00 00 00 45 00 00 00';
/** `r3 = 0x5b160098`, the mark of bpf_redirect_neigh, and what replaces it on a kernel without. */
const [mark, without] = ['b7 03 00 00 98 00 16 5b', 'b7 03 00 00 00 00 00 00'];
const neigh = '85 00 00 00 98 00 00 00';
const exit = '95 00 00 00 00 00 00 00';

const all = () => true;
const none = () => false;
const allBut =
  (...names: readonly string[]) =>
  ({ name }: KernelPart) =>
    !names.includes(name);

test.each([
  ['has everything', [jiffies, fib, exit], all, null, []],
  ['lacks what this program does not call', [clock, exit], none, null, []],
  [
    'lacks a helper that another stands in for',
    [jiffies, exit, jiffies],
    none,
    [clock, exit, clock],
    ['bpf_jiffies64'],
  ],
  [
    'lacks a helper that nothing stands in for',
    [jiffies, fib, exit],
    allBut('bpf_fib_lookup'),
    null,
    ['bpf_fib_lookup'],
  ],
  ['lacks one of each kind', [fib, jiffies], none, [fib, clock], ['bpf_fib_lookup', 'bpf_jiffies64']],
  [
    'lacks what the program has another way for',
    [mark, neigh, exit],
    none,
    [without, neigh, exit],
    ['bpf_redirect_neigh'],
  ],
  ['lacks it, and a half of a constant looks like the mark', ['18 03 00 00 98 00 16 5b', exit], none, null, []],
  ['lacks another one than the mark is of', [mark, exit], allBut('bpf_redirect_peer'), null, []],
  ['lacks it, and a function of the program has its number', ['85 10 00 00 76 00 00 00'], none, null, []],
  ['lacks it, and a function of the kernel has its number', ['85 20 00 00 76 00 00 00'], none, null, []],
  ['lacks it, and a constant looks like it', ['18 01 00 00 76 00 00 00', '00 00 00 00 85 00 00 00'], none, null, []],
  ['lacks it, and another instruction has its number', ['b7 00 00 00 76 00 00 00'], none, null, []],
] as const)('of a kernel that %s', (_, given, has, expected, lacking) => {
  const before = code(...given);
  const after = fitTo(before, has);
  expect(after.code).toEqual(expected && code(...expected));
  expect(after.missing.map(({ name }) => name)).toEqual(lacking);
  expect(before, 'what was given stays').toEqual(code(...given));
});

test('a kernel is asked only of what a program calls, once', () => {
  const queried: string[] = [];
  fitTo(code(jiffies, clock, jiffies), ({ name }) => {
    queried.push(name);
    return true;
  });
  expect(queried).toEqual(['bpf_jiffies64']);
});
