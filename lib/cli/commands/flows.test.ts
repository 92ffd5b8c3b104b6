import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { displayWidth } from '../terminal/display-width.ts';
import { runCommand } from '../testing/run-command.ts';
import { apply } from './apply.ts';
import { flows } from './flows.ts';

const env = { XDG_STATE_HOME: testFolder('flows') };
const run = (...argv: string[]) => runCommand(flows, [...argv, '--sandbox', 'flow-logs'], 100, env);

/** Where each column of a table begins: its heading, and what is in it, with two spaces before. */
function tableOf(out: string): { headings: string[]; rows: string[][] } {
  const [head = '', ...lines] = out.trimEnd().split('\n');
  const begins = [...head.matchAll(/\S+(?: \S+)*/g)].map(({ index }) => index);
  const cells = (line: string) =>
    begins.map((from, column) => {
      expect(from === 0 ? '  ' : line.slice(from - 2, from)).toMatch(/^ {0,2}$/);
      return line.slice(from, begins[column + 1]).trimEnd();
    });
  return { headings: cells(head), rows: lines.map(cells) };
}

test('the table has the same columns whatever is asked for, one flow a line, newest first', async () => {
  const { out, err, code } = await run('--since', '30m');
  expect([err, code]).toEqual(['', 0]);
  const all = tableOf(out);
  expect(all.headings).toEqual(['TIME', 'VERDICT', 'AT', 'FROM', 'TO', 'PORT', 'DECIDED BY', 'CONNS', 'BYTES']);
  expect(all.rows.length).toBeGreaterThan(10);
  for (const [time, verdict, at, from, to, port, by, conns, bytes] of all.rows) {
    expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
    expect(verdict).toMatch(/^(allowed|denied)$/);
    expect(at).toMatch(/^(src|dst)$/);
    for (const named of [from, to, by]) expect(named).not.toBe('');
    expect(port).toMatch(/^\d+ (TCP|UDP|ICMP)$/);
    expect(conns).toMatch(/^\d+$/);
    expect(bytes).toMatch(/^[\d.,]+ [kMG]?B$/);
  }
  const denied = tableOf((await run('verdict:denied', 'to:payments/ledger-db', '--since', '30m')).out);
  expect(denied.headings).toEqual(all.headings);
  expect(new Set(denied.rows.map(([, verdict, , , to]) => `${verdict} ${to}`))).toEqual(
    new Set(['denied payments/ledger-db']),
  );
});

const onTerminal = (columns: number, ...argv: string[]) =>
  runCommand(flows, [...argv, '--sandbox', 'flow-logs'], columns, env, { isTerminal: true });

test.each([40, 80, 120])(
  'on a terminal of %d columns no line is longer, except for a name that is',
  async (columns) => {
    for (const argv of [
      ['--since', '30m'],
      ['top', '--since', '30m'],
    ]) {
      const { out } = await onTerminal(columns, ...argv);
      const long = out.split('\n').filter((line) => displayWidth(line) > columns);
      expect(long.filter((line) => line.trim().includes(' '))).toEqual([]);
    }
  },
);

test('a terminal without room for a column each has the pair and its policy below the rest of a flow', async () => {
  const narrow = (await onTerminal(80, 'verdict:denied', 'to:payments/ledger-db', '--since', '30m')).out.split('\n');
  expect(narrow[0]).toMatch(/^TIME +VERDICT +AT +PORT +CONNS +BYTES +FROM → TO, DECIDED BY$/);
  expect(narrow[1]).toMatch(/^\d\d:\d\d:\d\d {2}denied {3}dst {2}5432 TCP {2}\d+/);
  expect(narrow.join(' ').replaceAll(/\s+/g, ' ')).toMatch(/ shop\/checkout → payments\/ledger-db, /);
  const wide = await onTerminal(200, 'verdict:denied', 'to:payments/ledger-db', '--since', '30m');
  expect(wide.out).toMatch(/^TIME +VERDICT +AT +FROM +TO +PORT +DECIDED BY +CONNS +BYTES$/m);
});

test('top adds up by what is asked for, the most first, and leads to nothing else', async () => {
  const { out, code } = await run('top', '--since', '30m');
  expect(code).toBe(0);
  const { headings, rows } = tableOf(out);
  expect(headings).toEqual(['BYTES', 'PACKETS', 'CONNS', 'DENIED', 'PAIR']);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThanOrEqual(20);
  for (const [, packets, conns, denied, pair] of rows) {
    for (const count of [packets, conns, denied]) expect(count).toMatch(/^\d+$/);
    expect(pair).toMatch(/^\S.* → \S.*:\d+$/);
  }
  const top = async (by: string) => JSON.parse((await run('top', '--by', by, '--since', '30m', '-o', 'json')).out);
  const { kind, talkers } = await top('pair');
  expect(kind).toBe('Talkers');
  expect(talkers.map(({ name }: { name: string }) => name)).toEqual(rows.map(([, , , , pair]) => pair));
  const sizes = talkers.map(({ bytes }: { bytes: number }) => bytes);
  expect(sizes).toEqual(sizes.toSorted((one: number, other: number) => other - one));
  const { talkers: deniers } = await top('denied');
  expect(deniers.length).toBeGreaterThan(0);
  expect(deniers.every(({ denied }: { denied: number }) => denied > 0)).toBe(true);
  const { headings: byTo } = tableOf((await run('top', '--by', 'to', '--since', '30m')).out);
  expect(byTo.at(-1)).toBe('TO');
});

test('a group that there is not is refused before any cluster is opened', async () => {
  await expect(runCommand(flows, ['top', '--by', 'nobody', '--sandbox', 'no-such'], 100, env)).rejects.toThrow(
    '--by: "nobody" is not one of pair, ',
  );
});

test.each([
  [['from:nobody'], 'No flows: from:nobody since:15m. They come 30 to 45 s late.\n'],
  [['top', 'from:nobody'], 'No flows: from:nobody since:15m. They come 30 to 45 s late.\n'],
  [['top', '--by', 'dns', 'to:payments/'], /^None of [\d,]+ flows went to port 53: to:payments\/ since:15m\.\n$/],
])('with none found %j says so beside what it prints, and is fine', async (argv, sentence) => {
  const { out, err, code } = await run(...argv);
  expect([out, code]).toEqual(['', 0]);
  if (typeof sentence === 'string') expect(err).toBe(sentence);
  else expect(err).toMatch(sentence);
});

test.each([
  ['json', /^\{[\s\S]*"kind": "Flows"[\s\S]*"flows": \[\]\n\}\n$/],
  ['csv', /^start,end,verdict,[^\n]*,id\n$/],
  ['ndjson', /^$/],
])('with none found -o %s is whole, and nothing is beside it', async (format, expected) => {
  const { out, err, code } = await run('from:nobody', '-o', format);
  expect(out).toMatch(expected);
  expect([err, code]).toEqual(['', 0]);
});

test('why takes ends by the names that flows show, of pods that are gone too', async () => {
  const { out, code } = await run('why', 'shop/checkout', 'payments/ledger-db:5432');
  expect(code).toBe(0);
  expect(out).toMatch(/→ payments\/ledger-db:5432 TCP: denied, as the flow logs of the last 15m have it\.\n/);
  expect(out).toMatch(/end of tier default/);
});

test('why says so where there is neither pod nor flow', async () => {
  await expect(run('why', 'shop/nobody', 'payments/ledger-db:5432')).rejects.toThrow(
    'There is no pod shop/nobody, and no flow with that name. Flow logs show no flow between them in the last 15m.',
  );
});

test('suggest prints a staged policy that allows what was seen allowed', async () => {
  const { out, code } = await run('suggest', 'payments/ledger-db');
  expect(code).toBe(0);
  expect(out).toMatch(/^# Suggested from [0-9,]+ flows: what was allowed in them\.\n# Staged: it denies nothing\./);
  expect(out).toContain('kind: StagedNetworkPolicy\n');
  expect(out).toContain("selector: app == 'payments-api'\n");
  // Denied, and so not allowed.
  expect(out).not.toContain("app == 'checkout'");
});

test.each([
  [['suggest'], 'suggest takes one workload'],
  [['suggest', 'shop/nobody'], 'No flows of shop/nobody were seen: there is nothing to allow.'],
  [['suggest', 'shop/checkout', '--port', '80'], '--port: suggest reads all flows of its workload'],
  [['collect'], 'collect needs a target: --file FILE, --otlp URL or --clickhouse URL'],
  [['collect', '--file', 'a', '--otlp', 'http://a'], '--file and --otlp: one collector has one target'],
  [['collect', '--file', 'a', '-o', 'csv'], '--output: collect does not use it'],
  [['collect', '--file', 'a', 'until:5m'], 'until: collect has no end'],
  [['collect', '--otlp', 'otel:4318'], '--otlp: "otel:4318" is not an address'],
  [['collect', '--clickhouse', 'ch:8123'], '--clickhouse: this is not an address; write https://HOST:8443'],
  [['collect', '--clickhouse', 'http://a:b@ch'], '--clickhouse: a user or a password stands in the address'],
  [['collect', '--clickhouse', 'http://ch/?password=a'], '--clickhouse: settings of ClickHouse cannot be given'],
  [['collect', '--clickhouse', 'http://ch/a`b'], '--clickhouse: "a%60b" is not a name of a database'],
  [['collect', '--clickhouse', 'http://ch', 'port:53'], 'QUERY: the history in ClickHouse must have all flows'],
  [['collect', '--clickhouse', 'http://ch', '--keep', 'long'], '--keep: "long" is not understood'],
  [['collect', '--file', 'a', '--keep', '1d'], '--keep is for --clickhouse only'],
  [['--file', 'a'], '--file is for collect'],
  [['--clickhouse', 'ch:8123'], '--clickhouse: this is not an address; write https://HOST:8443'],
  [['--watch', '--clickhouse', 'http://ch'], '--clickhouse: a watch follows the aggregator'],
  [['why', 'a/b', 'c/d:80', '--clickhouse', 'http://ch'], '--clickhouse: why takes only its two ends'],
  [['changes', '--clickhouse', 'http://ch'], '--clickhouse: changes compares'],
  [['top', '--since', '9d', '--clickhouse', 'http://ch'], 'by the UID of the cluster, and a sandbox has none'],
  [['suggest', 'a/b', '--clickhouse', 'http://ch'], 'by the UID of the cluster, and a sandbox has none'],
  [['until:9d', '--clickhouse', 'http://ch'], 'by the UID of the cluster, and a sandbox has none'],
  [['--before', 'a'], '--before is for changes'],
  [['changes', '--since', '2h'], '--since: changes compares all flows around a run'],
  [['changes'], 'There is no run on this cluster.'],
])('%j is refused with a sentence', async (argv, sentence) => {
  await expect(run(...argv)).rejects.toThrow(sentence);
});

test('collect hands on what is there until it is stopped', async () => {
  const folder = testFolder('flows');
  const file = join(folder, 'flows.ndjson');
  const stop = new AbortController();
  const ended = runCommand(flows, ['collect', 'verdict:denied', '--file', file, '--sandbox', 'flow-logs'], 100, env, {
    signal: stop.signal,
  });
  await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toContain('\n');
  stop.abort();
  const { code, err } = await ended;
  expect(code).toBe(0);
  expect(err).toMatch(
    /^Collecting into .*flows\.ndjson\. Flows come 30 to 45 s late\.\nStopped\. [\d,]+ flows collected\.\n$/,
  );
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).verdict)).toEqual(lines.map(() => 'denied'));
});

test('changes tells what talked before a run and is denied or silent since, from a file where nothing else has it', async () => {
  const accepted = ['not-measured', 'proxy.comes-back', 'endpoint.reachable', 'endpoint.certificate'];
  const words = accepted.flatMap((id) => ['--acknowledge', `${id}=a sandbox`]);
  const sandbox = ['--sandbox', 'flow-logs', '--instant'];
  const argv = [...sandbox, '--goal', 'enable', '--yes', '--accept-proposals', ...words];
  const applied = await runCommand(apply, argv, 100, env);
  expect(applied.code).toBe(0);
  expect(applied.err).toMatch(/^[0-9,]+ flows of the hour before are kept: signalbox flows changes compares/m);
  const folder = join(env.XDG_STATE_HOME, 'signalbox', 'flows-before');
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await run('changes')).err).toMatch(
    // Less than an hour by as much as the sandbox's clock ran ahead while its flows were asked for.
    /^Run \S+, ended \S+\. Of [1-9][\d,]* pairs? that talked in the \d\d m .*before it/,
  );
  // Without readable history the command fails; it never reads something else in place of what --before names.
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"id":"x"}\n');
  await expect(run('changes')).rejects.toThrow(/^No flows are known from before run \S+ began/);
  rmSync(folder, { recursive: true });
  await expect(run('changes')).rejects.toThrow(/^No flows are known from before run \S+ began/);

  const { out: listed } = await run('--since', '1h', '-o', 'ndjson');
  const seen = listed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const allowed = seen.filter(({ verdict }) => verdict === 'allowed');
  const deletedPod = { ...allowed[0], from: { kind: 'workload', namespace: 'shop', name: 'gone-*', labels: [] } };
  const file = join(env.XDG_STATE_HOME, 'before.ndjson');
  writeFileSync(file, [...allowed, deletedPod].map((line) => JSON.stringify(line)).join('\n'));
  const { out, err, code } = await run('changes', '--before', file);
  expect(code).toBe(0);
  expect(out).toMatch(/^denied +shop\/checkout +payments\/ledger-db +5432 TCP .* Denied at the destination/m);
  expect(out).toMatch(/^silent +shop\/gone /m);
  expect(err).toMatch(
    /^Run \S+, ended \S+\. Of \d+ pairs? that talked in the .* before it, \d+ (?:is|are) denied and 1 silent/,
  );

  writeFileSync(file, '{"id":"x"}\n');
  await expect(run('changes', '--before', file)).rejects.toThrow(
    '--before: line 1 is not a flow as flows -o ndjson writes it',
  );
});
