import { describe, expect, test } from 'vitest';
import { flagsByProgram, readsDumps, readsEtcd, readsJournals, withClusterFlags } from '#lib/text/index.ts';
import { commands } from '../commands/index.ts';
import { type FlagTable, parseFlags } from '../flags.ts';
import { clusterFlags, etcdFlags } from '../global-flags.ts';
import { runCommand } from '../testing/run-command.ts';
import { withFlagsOf } from './same-cluster.ts';

test('a suggested command has --journal-namespace exactly where the command takes it', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    expect(readsJournals.has(name), name).toBe('journal-namespace' in flags);
  }
});

test('a suggested command has --etcd-* and --from exactly where the command takes them', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    const { from }: FlagTable = flags;
    expect(readsEtcd.has(name), name).toBe('etcd-endpoints' in flags);
    expect(readsDumps.has(name), name).toBe(from?.value === 'PATH' && from.refusal === undefined);
  }
});

const notChanged = '--from is a dump, which cannot be changed. Name the cluster with --context';
/** Every command that refuses a dump: arguments with which it opens its cluster, and what it says. */
const refusing: Readonly<Record<string, { argv?: readonly string[]; message: string }>> = {
  apply: { message: '--from is a dump: it can be checked and planned on, not changed' },
  delete: { argv: ['ippool', 'one'], message: notChanged },
  dump: {
    message:
      '--from names a dump, and dump reads a cluster: what a dump of another tool leaves out would be lost in the copy. Name the cluster, or hand on the files as they are',
  },
  label: { argv: ['ippool', 'one', 'key=value'], message: notChanged },
  patch: { argv: ['ippool', 'one', '--patch={}'], message: notChanged },
  pause: { message: notChanged },
  preflight: { message: '--from is a dump: it has no nodes to test. Name the cluster with --context' },
  resume: { message: notChanged },
  stop: { message: notChanged },
  undo: { message: notChanged },
};

test('the commands that refuse a dump are these', async () => {
  const found: string[] = [];
  for (const [name, { load }] of Object.entries(commands)) {
    const { from }: FlagTable = (await load()).flags;
    if (from?.refusal !== undefined) found.push(name);
  }
  expect(found.sort()).toEqual(Object.keys(refusing));
});

describe.each(Object.entries(refusing))('%s refuses a dump', (name, { argv = [], message }) => {
  test.each([
    ['before it is read', []],
    ['before it asks which of two clusters is meant', ['--sandbox=standard']],
  ])('%s', async (_when, more) => {
    const command = (await commands[name]?.load()) ?? expect.unreachable();
    await expect(runCommand(command, [...argv, '--from=/nowhere', ...more], 120)).rejects.toMatchObject({
      exitCode: 2,
      message,
    });
  });
});

test.each([
  [
    ['--etcd-endpoints', 'https://10.0.0.5:2379', '--etcd-ca', '/pki/ca.crt'],
    'signalbox plan --etcd-endpoints https://10.0.0.5:2379 --etcd-ca /pki/ca.crt',
    'signalbox status',
  ],
  [
    ['--from', '/a b', '--from', '/c'],
    "signalbox plan --from '/a b' --from /c",
    "signalbox status --from '/a b' --from /c",
  ],
])('with %j a suggestion reads the same', (argv, plan, status) => {
  const { flags } = parseFlags(argv, { ...clusterFlags, ...etcdFlags });
  const led = withFlagsOf('See `signalbox plan`, `signalbox status` and `signalbox preflight`.', flags);
  expect(led).toBe(`See \`${plan}\`, \`${status}\` and \`signalbox preflight\`.`);
  expect(withFlagsOf(led, flags)).toBe(led);
});

test('the workload that flows are asked of is no dump', () => {
  const { flags } = parseFlags(['--from', 'shop/'], { from: { value: 'NS/NAME', many: true, help: '' } });
  expect(withFlagsOf('See `signalbox check`.', flags)).toBe('See `signalbox check`.');
});

test('the list of clusters is suggested from the kubeconfig that was named', () => {
  const { flags } = parseFlags(['--kubeconfig', '/k', '--context', 'prod'], clusterFlags);
  expect(withFlagsOf('As `signalbox clusters` shows it.', flags)).toBe(
    'As `signalbox clusters --kubeconfig /k` shows it.',
  );
});

/** Run where their cluster is, with a kubeconfig of that place. */
const besides: ReadonlySet<string> = new Set(['node', 'operator']);

test('a suggested command names the cluster exactly where the command takes that', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    const led = withClusterFlags(`signalbox ${name}`, flagsByProgram({ context: 'prod' }));
    expect(led.includes('--context'), name).toBe('context' in flags && !besides.has(name));
  }
});

test('a context whose name begins with a hyphen is read back as it is', () => {
  const [, ...words] = withClusterFlags('signalbox check', flagsByProgram({ context: '-prod' })).split(' ');
  const { flags, args } = parseFlags(words, clusterFlags);
  expect([...args, flags.text('context')]).toEqual(['check', '-prod']);
});
