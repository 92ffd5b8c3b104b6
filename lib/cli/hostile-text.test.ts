import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { aCluster, templates } from '#lib/sandbox/index.ts';
import { canary, rawCharacters } from '#lib/text/testing/canaries.ts';
import { infested } from '#lib/text/testing/infested.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { describeError } from './describe-error.ts';
import { parseFlags } from './flags.ts';
import { coloured, plain } from './terminal/terminal.ts';

/** Every command that shows a cluster, in every format, on clusters whose texts are hostile. What stands behind all of them (`writable`) is left out here. */

const folder = testFolder('strangers');

const dumps = Object.fromEntries(
  (['free text', 'everywhere'] as const).map((where) => {
    const path = join(folder, `${where.replace(' ', '-')}.json`);
    const own = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kubernetes-services-endpoint', namespace: 'tigera-operator' },
      data: { KUBERNETES_SERVICE_HOST: canary('host'), KUBERNETES_SERVICE_PORT: canary('port') },
    };
    const items = [...aCluster({}).map((object) => infested(object, where)), ...(where === 'everywhere' ? [own] : [])];
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    return [where, path];
  }),
);

const kubeconfig = join(folder, 'config');
writeFileSync(
  kubeconfig,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': canary('context'),
    contexts: [canary('context'), 'plain'].map((name) => ({
      name,
      context: { cluster: canary('cluster'), user: canary('user'), namespace: canary('namespace') },
    })),
    clusters: [{ name: canary('cluster'), cluster: { server: `https://${canary('server')}:6443` } }],
    users: [{ name: canary('user'), user: { exec: { command: canary('command'), apiVersion: canary('version') } } }],
  }),
);

const ways: readonly (readonly [command: string, formats: readonly string[], flags: readonly string[]])[] = [
  ['inspect', ['table', 'json', 'yaml'], []],
  ['check', ['table', 'json', 'yaml', 'junit'], ['--goal', 'enable', '--all']],
  ['check', ['table'], ['--goal', 'install', '--acknowledge', `node.kernel=${canary('reason')}`]],
  ['check', ['table'], ['--goal', 'undo']],
  ['plan', ['table', 'json', 'yaml', 'shell', 'gitops'], ['--goal', 'enable']],
  ['plan', ['table', 'shell'], ['--goal', 'undo']],
  ['status', ['table', 'json', 'yaml'], []],
  ['status', ['table', 'json'], ['--watch']],
  ['runs', ['table', 'json', 'yaml'], []],
  ['report', ['table', 'json', 'yaml'], []],
  ['report', ['table'], [canary('run')]],
];

test.each(
  ways.flatMap(([name, formats, flags]) =>
    formats.flatMap((format) =>
      Object.keys(dumps).map((where) => [name, format, flags.slice(0, 2).join(' '), where, flags] as const),
    ),
  ),
)('%s -o %s %s: nothing raw, canaries %s', async (name, format, _shown, where, flags) => {
  const output = await outputOf(name, [...flags, '--from', dumps[where] ?? '', '-o', format]);
  expect(rawCharacters(output.out + output.err)).toEqual([]);
  expect(output.out + output.err).not.toMatch(/^signalbox: forged line/m);
  if (format === 'json' && output.out !== '') expect(() => JSON.parse(output.out)).not.toThrow();
  if (format === 'yaml' && output.out !== '') expect(() => parse(output.out)).not.toThrow();
  if (format === 'gitops') for (const one of parseAllDocuments(output.out)) expect(one.errors).toEqual([]);
  if (format === 'shell')
    for (const line of output.out.split('\n').filter((one) => one.includes('c4n4ry')))
      expect(line).toMatch(/^\s*(?:#|echo |kubectl |printf |until |\[ |helm |if )/);
  if (format === 'junit') expect(output.out).not.toMatch(/<img|<script/);
});

test.each(['table', 'json', 'yaml'])('clusters -o %s: contexts of a hostile kubeconfig', async (format) => {
  const output = await outputOf('clusters', ['--kubeconfig', kubeconfig, '-o', format]);
  expect(output.out).toContain('c4n4ry');
  expect(rawCharacters(output.out + output.err)).toEqual([]);
  expect(output.out + output.err).not.toMatch(/^signalbox: forged line/m);
});

test.each([['inspect'], ['check'], ['plan'], ['status'], ['runs']])(
  '%s of a context that cannot be used: nothing raw in the error',
  async (name) => {
    for (const context of ['plain', canary('context'), canary('unknown')]) {
      const output = await outputOf(name, ['--kubeconfig', kubeconfig, '--context', context]);
      expect(output.err).not.toBe('');
      expect(rawCharacters(output.out + output.err)).toEqual([]);
      expect(output.err).not.toMatch(/^signalbox: forged line/m);
    }
  },
);

test('a file that is no dump, and flags with anything in them', async () => {
  const broken = join(folder, 'broken.yaml');
  writeFileSync(broken, `kind: ${canary('kind')}\n  - "`);
  for (const flags of [
    ['--from', broken],
    ['--from', canary('path').replaceAll('\0', '')],
    ['--goal', canary('goal')],
    ['--set', canary('set')],
    ['-o', canary('format')],
  ]) {
    const output = await outputOf('check', flags);
    expect(output.err).not.toBe('');
    expect(rawCharacters(output.err)).toEqual([]);
  }
});

test('the canaries do come through: they are escaped, not lost', async () => {
  const { out } = await outputOf('inspect', ['--from', dumps['free text'] ?? '', '-o', 'json']);
  expect(out).toContain('c4n4ry-status.nodeInfo.osImage');
  expect(out).toContain('\\u202e');
  const facts = JSON.parse(out) as { nodes: { osImage: string }[] };
  expect(facts.nodes[0]?.osImage).toContain('\u202egnp.exe');
});

test.each(['table', 'json', 'yaml'])(
  'inspect -o %s masks what looks like a secret, and keeps what facts need',
  async (format) => {
    const secretive = join(folder, 'secretive.json');
    const applied = JSON.stringify({ kind: 'Secret', data: { x: 'aHVudGVyMg==' } });
    const configMap = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'kubernetes-services-endpoint',
        namespace: 'tigera-operator',
        annotations: {
          'kubectl.kubernetes.io/last-applied-configuration': applied,
          'example.com/api-token': 'hunter2',
        },
      },
      data: {
        KUBERNETES_SERVICE_HOST: '198.18.0.10',
        KUBERNETES_SERVICE_PORT: '6443',
        password: 'hunter2',
        proxy: 'http://bob:hunter2@proxy.example:3128',
        'app.yaml': 'host: db.example\ntoken: hunter2\n',
      },
    };
    writeFileSync(secretive, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...aCluster({}), configMap] }));
    const { out } = await outputOf('inspect', ['--from', secretive, '-o', format]);
    expect(out).not.toMatch(/hunter2|aHVudGVy/);
    expect(out).toContain('198.18.0.10');
    if (format !== 'table') expect(out).toContain('‹masked: looks like a password›');
  },
);

test.each(Object.keys(templates))(
  'nothing of the sandbox %s looks like a secret, but values of Secrets',
  async (name) => {
    const { out } = await outputOf('inspect', ['--sandbox', name, '--instant', '-o', 'json']);
    expect([...out.matchAll(/.*‹masked: (?!a value of a Secret).*/g)].map(([line]) => line.trim())).toEqual([]);
  },
);

async function outputOf(name: string, argv: readonly string[]): Promise<{ out: string; err: string }> {
  const output = { out: '', err: '' };
  try {
    const command = (await commands[name]?.load()) as Command;
    const { args, flags } = parseFlags([...argv], command.flags);
    await command.run({
      args,
      flags,
      env: { HOME: folder, XDG_STATE_HOME: folder },
      signal: AbortSignal.timeout(120_000),
      terminal: {
        out: (text) => {
          output.out += `${text}\n`;
        },
        err: (text) => {
          output.err += `${text}\n`;
        },
        isTerminal: false,
        canAsk: false,
        columns: 100,
        paint: argv.includes('colour') ? coloured : plain,
        verbosity: 'verbose',
        ask: async () => '',
      },
    });
  } catch (error) {
    output.err += describeError(error, true).text;
  }
  return output;
}
