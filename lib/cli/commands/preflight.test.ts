import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Command } from '../command.ts';
import { runCommand } from '../testing/run-command.ts';
import { apply } from './apply.ts';
import { check } from './check.ts';
import { dump } from './dump.ts';
import { preflight } from './preflight.ts';

const folder = testFolder('preflight');

const enable = ['--goal=enable', '--accept-proposals', '--preflight', '--yes'];

test.each<[string, Command, string, string[], number, RegExp]>([
  ['where eBPF is on, nodes are tested all the same', preflight, 'bpf', [], 0, /kernel ready for eBPF +6 of 6 nodes/],
  ['what would be made is printed whole', preflight, 'standard', ['--show'], 0, /kind: DaemonSet/],
  [
    'its pods run in the image that is named',
    preflight,
    'standard',
    ['--show', '--probe-image=mirror.example.test/node:v1'],
    0,
    /image: mirror\.example\.test\/node:v1\n/,
  ],
  ['a node that fails a test ends it', preflight, 'old-kernel', [], 3, /worker-3 +FAILED/],
  [
    'a run after a test watches Services by itself, in a sandbox as elsewhere',
    apply,
    'standard',
    enable,
    0,
    /^15 +Services answer from every node/m,
  ],
  ['what is not fine on a node stops apply', apply, 'old-kernel', enable, 3, /node\.kernel/],
])('%s', async (_what, command, sandbox, flags, code, words) => {
  const env = { XDG_STATE_HOME: folder, HOME: folder };
  const answer = await runCommand(command, [`--sandbox=${sandbox}`, '--instant', ...flags], 120, env);
  expect([answer.code, `${answer.out}${answer.err}`]).toEqual([code, expect.stringMatching(words)]);
});

test('a dump is refused before it is read', async () => {
  const env = { XDG_STATE_HOME: folder, HOME: folder };
  await expect(runCommand(preflight, [`--from=${join(folder, 'nowhere')}`], 120, env)).rejects.toMatchObject({
    exitCode: 2,
    message: '--from is a dump: it has no nodes to test. Name the cluster with --context',
  });
});

test('check says at its top how many findings a test of the nodes would answer', async () => {
  const env = { XDG_STATE_HOME: folder, HOME: folder };
  const file = join(folder, 'standard.tgz');
  await runCommand(dump, ['--sandbox=standard', '--instant', `--output=${file}`], 120, env);
  const { out } = await runCommand(check, [`--from=${file}`], 120, env);
  expect(out.split('\n')[1]).toMatch(/^\d+ findings can be measured on the nodes: `signalbox preflight`$/);
});
