import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Command } from '../command.ts';
import { runCommand } from '../testing/run-command.ts';
import { deleteCommand } from './delete.ts';
import { get } from './get.ts';
import { label } from './label.ts';
import { patch } from './patch.ts';

const state = testFolder('calico');
const run = (command: Command, ...argv: string[]) =>
  runCommand(command, [...argv, '--sandbox', 'host-endpoints', '--instant'], 100, { XDG_STATE_HOME: state });

test.each<[argv: string[], out: RegExp | string, err: RegExp | string, code: number]>([
  [['hep'], /^NAME {11}CREATED AT\nworker-1-all {3}\d{4}-[\dT:-]+Z\n$/, '', 0],
  [['HostEndpoint', 'worker-1-all', '-o', 'name'], 'hostendpoint.projectcalico.org/worker-1-all\n', '', 0],
  [['hostendpoints.projectcalico.org/worker-1-all', '--no-headers'], /^worker-1-all +\d{4}-/, '', 0],
  [
    ['hep,felixconfig', '-o', 'name'],
    /^hostendpoint\.[^\n]+\nfelixconfiguration\.projectcalico\.org\/default\n$/,
    '',
    0,
  ],
  [
    ['hep', 'worker-1-all', '-o', 'yaml'],
    /^apiVersion: projectcalico\.org\/v3\nkind: HostEndpoint\nmetadata:\n/,
    '',
    0,
  ],
  [['ippools', '-o', 'yaml'], /^apiVersion: v1\nitems:\n[\s\S]*ipipMode: Never[\s\S]*\nkind: List\n/, '', 0],
  [['np'], '', 'No resources found in default namespace.\n', 0],
  [['np', '-n', 'shop'], '', 'No resources found in shop namespace.\n', 0],
  [['np', '-A'], '', 'No resources found\n', 0],
  [['hep', '-l', 'a=b'], '', 'No resources found\n', 0],
  [['hep', 'nix'], '', 'Error from server (NotFound): hostendpoints.projectcalico.org "nix" not found\n', 2],
  [['hep', 'nix', '--ignore-not-found'], '', '', 0],
  [['hep', 'nix', 'worker-1-all'], /worker-1-all/, /"nix" not found/, 2],
])('get %j', async (argv, out, err, code) => {
  const answer = await run(get, ...argv);
  if (typeof out === 'string') expect(answer.out).toBe(out);
  else expect(answer.out).toMatch(out);
  if (typeof err === 'string') expect(answer.err).toBe(err);
  else expect(answer.err).toMatch(err);
  expect(answer.code).toBe(code);
});

const commands = { get, patch, label, delete: deleteCommand };

test.each<[command: keyof typeof commands, argv: string[], refused: RegExp]>([
  ['get', [], /name a kind of projectcalico\.org\/v3/],
  ['get', ['pods'], /^error: the server doesn't have a resource type "pods"$/],
  ['get', ['hep', 'worker-1-all', '-A'], /cannot be retrieved by name across all namespaces/],
  ['get', ['hep', '-l', 'a b'], /label selector/],
  ['get', ['hep/a', 'hep'], /no need to specify a resource type as a separate argument/],
  ['get', ['hep', '-o', 'jsonpath={}'], /^-o: /],
  ['patch', ['hep', 'worker-1-all'], /must specify --patch or --patch-file/],
  ['patch', ['hep', 'worker-1-all', '-p', '['], /^--patch does not parse/],
  ['patch', ['hep', 'worker-1-all', '-p', '[]'], /^--patch: a patch of type strategic is a group of fields/],
  ['patch', ['hep', 'worker-1-all', '-p', 'spec: {$patch: delete}'], /\$patch is not known/],
  ['patch', ['hep', 'worker-1-all', '-p', 'a: 1', '--type', 'json'], /a patch of type json is a list/],
  ['patch', ['hep', 'worker-1-all', '-p', 'kind: Tier'], /^error: kind: "Tier" is not HostEndpoint$/],
  ['patch', ['hep', 'worker-1-all', '-p', 'metadata: null'], /not an object/],
  ['patch', ['hep', 'worker-1-all', '-p', 'metadata: {name: other}'], /does not match the name on the URL/],
  ['patch', ['hep', 'worker-1-all', '-p', 'spec: {node: b}'], /^--yes is needed without a terminal/],
  ['patch', ['hep', 'nix', '-p', 'spec: {node: b}', '-y'], /^Error from server \(NotFound\): hostendpoints/],
  ['label', ['hep', 'worker-1-all'], /at least one label update is required/],
  ['label', ['hep', 'a=b'], /no name, label selector, or --all flag/],
  ['label', ['hep', 'worker-1-all', 'a=b', 'a-'], /can not both modify and remove/],
  ['label', ['hep', 'worker-1-all', 'a=b c'], /invalid label: "a=b c"/],
  ['label', ['hep', 'worker-1-all', 'a=b'], /^--yes is needed without a terminal/],
  ['delete', ['hep'], /no name was specified/],
  ['delete', ['hep', 'worker-1-all', '--all', '-y'], /name cannot be provided/],
  ['delete', ['hep', 'worker-1-all'], /^--yes is needed without a terminal/],
  ['delete', ['ippool', '--all', '-y'], /cannot be deleted where they are stored/],
  ['delete', ['clusterinfo', 'default', '-y'], /calico-node alone writes it/],
  ['delete', ['hep', 'worker-1-all', '--dry-run', 'client'], /^--dry-run: "client" is not one of server, none$/],
])('%s %j is refused', async (command, argv, refused) => {
  await expect(run(commands[command], ...argv)).rejects.toThrow(refused);
});

test('what is labelled, patched and deleted is so for whoever looks next', async () => {
  const outputOf = async (command: Command, ...argv: string[]) => (await run(command, ...argv)).out;
  expect(await outputOf(label, 'hep', 'worker-1-all', 'env=prod', '--dry-run', 'server')).toBe(
    'hostendpoint.projectcalico.org/worker-1-all labeled (server dry run)\n',
  );
  const unchecked = /^Warning: Calico's own API .* does not answer, so it did not validate the change/;
  expect((await run(label, 'hep', 'worker-1-all', 'env=prod', '--dry-run', 'server')).err).toMatch(unchecked);
  expect(await outputOf(get, 'hep', '-l', 'env=prod')).toBe('');
  expect(await outputOf(label, 'hep', 'worker-1-all', 'env=prod', '-y')).toMatch(/ labeled\n$/);
  expect(await outputOf(label, 'hep', 'worker-1-all', 'env=prod', '-y')).toMatch(/ not labeled\n$/);
  await expect(run(label, 'hep', 'worker-1-all', 'env=dev', '-y')).rejects.toThrow(
    "error: 'env' already has a value (prod), and --overwrite is false",
  );
  expect(await outputOf(get, 'hep', '-l', 'env in (prod)', '--show-labels')).toMatch(/ env=prod\n$/);
  expect(await outputOf(label, 'hep', '-l', 'env', 'env-', '-y')).toMatch(/ unlabeled\n$/);

  const absent = await run(label, 'hep', 'worker-1-all', 'nix-', '-y');
  expect(absent).toMatchObject({ out: expect.stringMatching(/ not labeled\n$/), err: 'label "nix" not found.\n' });

  const patched = [
    'hep',
    'worker-1-all',
    '--type',
    'json',
    '-p',
    '[{"op":"add","path":"/spec/profiles","value":["p"]}]',
  ];
  expect(await outputOf(patch, ...patched, '-y')).toMatch(/ patched\n$/);
  expect(await outputOf(patch, ...patched, '-y')).toMatch(/ patched \(no change\)\n$/);
  expect(await outputOf(get, 'hep', 'worker-1-all', '-o', 'json')).toMatch(/"profiles": \[\s+"p"\s+\]/);

  expect(await outputOf(deleteCommand, 'hep/worker-1-all', '-y')).toBe(
    'hostendpoint.projectcalico.org "worker-1-all" deleted\n',
  );
  expect((await run(get, 'hep')).err).toBe('No resources found\n');
  expect((await run(deleteCommand, 'hep', '--all', '-y')).err).toBe('No resources found\n');
});
