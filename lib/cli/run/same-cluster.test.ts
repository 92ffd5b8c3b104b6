import { expect, test } from 'vitest';
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

/** They take `--from`, as every command that opens a cluster, and refuse it, or change what a dump cannot change. */
const changing: ReadonlySet<string> = new Set(
  'apply delete dump label patch pause preflight resume stop undo'.split(' '),
);

test('a suggested command has --etcd-* and --from exactly where the command takes them', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags } = await load();
    const { from }: FlagTable = flags;
    expect(readsEtcd.has(name), name).toBe('etcd-endpoints' in flags);
    expect(readsDumps.has(name), name).toBe(from?.value === 'PATH' && !changing.has(name));
  }
});

test.each([
  ['delete', 'ippool', 'one'],
  ['label', 'ippool', 'one', 'key=value'],
  ['patch', 'ippool', 'one', '--patch={}'],
  ['pause'],
  ['resume'],
  ['stop'],
  ['undo'],
])('%s refuses a dump before it is read', async (name, ...argv) => {
  const command = await commands[name]?.load();
  if (!command) throw new Error(`there is no ${name}`);
  await expect(runCommand(command, [...argv, '--from=/nowhere'], 120)).rejects.toMatchObject({
    exitCode: 2,
    message: '--from is a dump, which cannot be changed. Name the cluster with --context',
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
