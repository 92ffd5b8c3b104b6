import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { kubeconfigOf } from '#lib/kube/index.ts';
import { inOneProcess, readyAnswers, signalbox } from './testing/signalbox.ts';

const line = inOneProcess();

describe('wrong usage ends with 2 and names the flag, field or word', () => {
  test.each([
    ['an unknown command', ['chekc'], 'did you mean check'],
    ['an unknown flag', ['check', '--gaol', 'x'], 'did you mean --goal'],
    ['a flag without its value', ['check', '--goal'], '--goal needs a value'],
    ['a switch with a value', ['apply', '--yes=no'], '--yes takes no value'],
    [
      'an unknown goal',
      ['check', '--sandbox', 'standard', '--goal', 'fly'],
      '--goal: "fly" is not one of install, enable, upgrade, undo, restore',
    ],
    ['an unknown format', ['check', '--sandbox', 'standard', '-o', 'xml'], '-o: "xml" is not one of'],
    [
      'two clusters at once',
      ['check', '--sandbox', 'standard', '--from', 'x'],
      '--from and --sandbox name different clusters',
    ],
    ['no such sandbox', ['check', '--sandbox', 'nope'], 'There is no sandbox "nope"'],
    ['no such dump', ['check', '--from', '/no/such/dump'], '/no/such/dump'],
    ['no such context', ['check', '--context', 'nope'], '--context'],
    ['no such kubeconfig', ['check', '--kubeconfig', '/no/such/file'], '--kubeconfig'],
    ['no such plan file', ['apply', '/no/such/plan.json', '--sandbox', 'standard'], 'plan.json'],
    ['a duration without a unit', ['check', '--sandbox', 'standard', '--timeout', '30'], '--timeout'],
    [
      'an acknowledgement without a reason',
      ['check', '--sandbox', 'standard', '--acknowledge', 'node.kernel'],
      'needs a reason',
    ],
    [
      'an acknowledgement of nothing known',
      ['check', '--sandbox', 'standard', '--acknowledge', 'node.kernle=x'],
      'node.kernle',
    ],
    ['a fix of nothing known', ['check', '--sandbox', 'standard', '--fix', 'proxy.not-ipsv'], 'proxy.not-ipsv'],
    [
      'a release where it would be ignored',
      ['check', '--sandbox', 'standard', '--goal', 'enable', '--release', 'v3.31.4'],
      '--release does not go with the goal enable',
    ],
    [
      'a source where it would be ignored',
      ['plan', '--sandbox', 'standard', '--source', 'https://example.com'],
      '--source does not go with the goal enable',
    ],
    [
      'a method where it would be ignored',
      ['apply', '--sandbox', 'standard', '--goal', 'enable', '--method', 'helm', '--yes'],
      '--method does not go with the goal enable',
    ],
    ['an empty endpoint', ['check', '--sandbox', 'standard', '--endpoint', ''], '--endpoint is empty'],
    ['a dump to a place that is taken', ['dump', '--sandbox', 'empty', '-o', '/etc'], 'nothing is overwritten'],
    ['a dump to a file of another kind', ['dump', '--sandbox', 'empty', '-o', 'x.yaml'], 'ends in .tgz'],
    ['a dump below a folder that is not there', ['dump', '--sandbox', 'empty', '-o', '/no/such/x'], 'ENOENT'],
    ['a dump of a dump', ['dump', '--from', '.', '-o', '/no/such/x'], 'dump reads a cluster'],
    [
      'an unknown form of its summary',
      ['dump', '--sandbox', 'empty', '--summary', 'x'],
      '--summary: "x" is not one of',
    ],
    ['apply on a dump', ['apply', '--from', '.', '--yes'], '--from'],
    ['apply without anybody to confirm', ['apply', '--sandbox', 'standard', ...readyAnswers], '--yes is needed'],
    ['an unknown kind of schema', ['schema', 'Fact'], 'NAME: "Fact" is not one of'],
    ['an unknown shell', ['completion', 'tcsh'], 'tcsh'],
    ['--instant without a sandbox', ['check', '--instant', '--kubeconfig', 'x'], '--instant'],
    ['a goal where eBPF runs already', ['check', '--sandbox', 'bpf'], '--goal is needed'],
    ['a run that does not exist', ['report', 'nope', '--sandbox', 'standard'], 'nope'],
    ['a run to forget that does not exist', ['runs', '--forget', 'nope', '--sandbox', 'standard'], 'There is no run'],
  ])('%s', async (_, args, words) => {
    const { code, err, out } = await line(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) });
    expect(out).toBe('');
  });
});

test('the process ends with the code', async () => {
  const { code, err, out } = await signalbox(['check', '--sandbox', 'standard', '--goal', 'fly']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('--goal: "fly" is not one of');
});

test('a check that is blocked ends with 3, one that only needs answers with 0, and with 3 under --strict', async () => {
  expect((await line(['check', '--sandbox', 'standard'])).code).toBe(3);
  const answered = ['--endpoint', 'api.sandbox.example:6443'];
  expect((await line(['check', '--sandbox', 'standard', ...answered])).code).toBe(0);
  expect((await line(['check', '--sandbox', 'standard', '--strict', ...answered])).code).toBe(3);
  expect((await line(['check', '--sandbox', 'standard', '--strict', ...readyAnswers])).code).toBe(0);
});

test('apply is blocked where check only needs answers', async () => {
  const { code, err } = await line([
    'apply',
    '--sandbox',
    'standard',
    '--yes',
    '--endpoint',
    'api.sandbox.example:6443',
  ]);
  expect(code).toBe(3);
  expect(err).toContain('operator.dns-deadlock');
});

test('a cluster that cannot be reached ends with 5 and a sentence', async () => {
  const folder = testFolder('exit-codes');
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, kubeconfigOf('away', { server: 'https://127.0.0.1:1' }, { token: 'not-to-be-seen' }));
  const { code, err, out } = await line(['check', '--kubeconfig', kubeconfig, '--timeout', '5s']);
  expect(code).toBe(5);
  expect(err).toMatch(/^signalbox: .*127\.0\.0\.1:1/);
  expect(err + out).not.toContain('not-to-be-seen');
});

// Each command is a process of its own: the next one knows of it only what the state folder holds.
test('a whole run on a sandbox: apply, runs, report, undo, and apply again finds what is missing', async () => {
  const home = testFolder('exit-codes');
  const env = { HOME: home, XDG_STATE_HOME: home };
  const on = ['--sandbox', 'standard', '--instant'];
  const planFile = join(home, 'plan.json');
  expect((await line(['plan', ...on, ...readyAnswers, '--out', planFile], env)).code).toBe(0);
  expect(JSON.parse(readFileSync(planFile, 'utf8'))).toMatchObject({ kind: 'Plan', goal: 'enable' });

  const applied = await signalbox(['apply', ...on, ...readyAnswers, '--yes', '-o', 'json'], env);
  expect({ code: applied.code, err: applied.err.split('\n').at(-2) }).toMatchObject({ code: 0 });
  const events = applied.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; event: string });
  expect(events.map((event) => event.id)).toEqual([...events.map((event) => event.id)].sort((a, b) => a - b));
  expect(events[0]?.event).toBe('snapshot');

  const runs = JSON.parse((await line(['runs', ...on, '-o', 'json'], env)).out) as {
    runs: { run: string; state: { kind: string } }[];
  };
  expect(runs.runs.map((run) => run.state.kind)).toEqual(['done']);

  const again = await line(['apply', ...on, ...readyAnswers, '--goal', 'enable', '--yes'], env);
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('Nothing to do') });

  const undone = await signalbox(['undo', ...on, '--yes'], env);
  expect(undone).toMatchObject({ code: 0, err: expect.stringContaining('was undone') });
  const report = await line(['report', ...on], env);
  expect(report.out).toContain('State: **undone**');
  const [name = ''] = runs.runs.map(({ run }) => run);
  const twice = await line(['undo', ...on, '--yes'], env);
  expect(twice).toMatchObject({ code: 2, err: expect.stringContaining(`Run ${name}: This run is already undone.`) });
  const named = await line(['undo', name, ...on, '--yes'], env);
  expect(named).toMatchObject({ code: 2, err: expect.stringContaining('RUN: This run is already undone.') });
  expect((await line(['sandbox', 'reset', 'standard'], env)).code).toBe(0);
});

test('help, overview and the client version need no cluster', async () => {
  expect((await line([])).code).toBe(2);
  expect((await line(['--help'])).code).toBe(0);
  expect((await line(['help', 'apply'])).out).toContain('signalbox apply [plan.json]');
  const version = (await signalbox(['version', '--client'])).out;
  expect(version).toMatch(/^Client Version: {5}v\d/);
  expect((await line(['--version'])).out).toBe(version);
  expect(JSON.parse((await line(['-o', 'json', '--version'])).out)).toMatchObject({ kind: 'Version' });
});

test('without a command no flag is passed over in silence', async () => {
  expect(await line(['--verison'])).toMatchObject({
    code: 2,
    out: '',
    err: 'signalbox: --verison is not a flag of signalbox itself; did you mean --version?\n',
  });
  expect(await line(['--context'])).toMatchObject({ code: 2, err: expect.stringContaining('--context needs a value') });
  expect(await line(['--sandbox', 'standard'])).toMatchObject({ code: 2, out: (await line(['--help'])).out });
});

test('data goes to stdout and everything else to stderr', async () => {
  const { out, err } = await signalbox(['check', '--sandbox', 'standard', '-o', 'json']);
  expect(JSON.parse(out)).toMatchObject({ kind: 'Findings' });
  expect(err).toBe('');
});

test('every command explains itself', async () => {
  const { commands } = await import('#lib/cli/commands/index.ts');
  for (const name of Object.keys(commands)) {
    const { code, out } = await line([name, '--help']);
    expect({ name, code, first: out.split('\n')[0] }).toEqual({
      name,
      code: 0,
      first: expect.stringMatching(`^signalbox ${name}`),
    });
  }
});
