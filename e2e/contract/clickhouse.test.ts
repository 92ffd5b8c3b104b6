import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { commands } from '#lib/cli/commands/index.ts';
import { runCommand } from '#lib/cli/testing/run-command.ts';
import { flowHistories } from '#lib/console/streams/index.ts';
import { type ClickHouseAccess, openClickHouse, openDatabase } from '#lib/flows/history/sql/clickhouse/index.ts';
import { type AnyEngine, holdsTheContract } from '#lib/flows/history/testing/engine-contract.ts';
import { clickHouseSink, type Flow, historyTiers, openDuckDb, parseQuery } from '#lib/flows/index.ts';
import { aFlowWithId } from '#lib/flows/testing/a-flow.ts';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { createStore } from '#lib/kube/index.ts';
import { chdbFolder, type RunningClickHouse, startClickHouse } from '../clickhouse/index.ts';

// `npm test` installs it, and says where it cannot.
const packages = chdbFolder();
const isAway = !existsSync(packages);

let server: Promise<RunningClickHouse> | null = null;
const access = async (): Promise<ClickHouseAccess> => {
  server ??= startClickHouse(packages);
  const { url, user, password } = await server;
  return { url, user, password, database: 'signalbox' };
};
afterAll(async () => (await server)?.remove());

/** Only root may make one. */
let disk: string | null = null;
const smallBytes = 64 * 1024 * 1024;
async function aSmallDisk(): Promise<string> {
  disk = await mkdtemp(join(tmpdir(), 'small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${smallBytes}`, 'small-disk', disk]);
  return join(disk, 'data');
}
afterAll(async () => {
  if (disk === null) return;
  execFileSync('umount', ['-l', disk]);
  await rmdir(disk);
});

/** The flow history that a console opens in ClickHouse for a cluster with this UID. */
async function reading(clickHouse: ClickHouseAccess, uid: string) {
  const metadata = { name: 'kube-system', uid };
  const get = async () => ({ apiVersion: 'v1', kind: 'Namespace', metadata });
  const kube = { ...createStore({ name: 'default', source: 'sandbox' }), get };
  return flowHistories({
    stateFolder: testFolder('histories'),
    settings: { clickHouse },
    isSandbox: async () => false,
    using: (_slug, work) => work({ kube }),
    log: () => undefined,
  });
}

/** A kubeconfig for an API server that only gives this UID. */
async function aClusterOf(uid: string): Promise<string> {
  const server = createServer((request, response) => {
    const isAsked = request.url === '/api/v1/namespaces/kube-system';
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system', uid } };
    response.writeHead(isAsked ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAsked ? body : { kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiServers.push(server);
  const path = join(testFolder('kubeconfig'), 'config');
  const cluster = { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const context = { cluster: 'one', user: 'one' };
  await writeFile(
    path,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'one' },
      clusters: [{ name: 'one', cluster }],
      contexts: [{ name: 'one', context }],
      users: [{ name: 'one', user: { token: 'a' } }],
    }),
  );
  return path;
}
const apiServers: Server[] = [];
afterAll(() => {
  for (const one of apiServers) one.close().closeAllConnections();
});

const day = 86_400;
const keptSeconds = 7 * day;
let clusters = 0;
const aCluster = () => `cluster-${clusters++}`;
const anEngine = async (cluster = aCluster()) =>
  openClickHouse(await openDatabase(await access()), { cluster, keptSeconds });
const begin = 1_800_000_000;
const everything = { terms: [], since: 0, until: 4_000_000_000 };
const tell = () => undefined;
const flowEvent = (flow: Flow) => ({ type: 'flow' as const, flow });

describe.skipIf(isAway)('ClickHouse', () => {
  holdsTheContract('the contract', anEngine);

  test('answers what DuckDB answers, whatever was told, told again, late and rolled up', async () => {
    const flow = fc
      .record({
        start: fc.nat(700).map((bucket) => begin + bucket * 15),
        port: fc.nat(3),
        verdict: fc.constantFrom('allowed' as const, 'denied' as const),
        bytes: fc.record({ in: fc.nat(9), out: fc.nat(9) }),
      })
      .map(aFlowWithId);
    const batch = fc.record({ flows: fc.array(flow, { maxLength: 30 }), waits: fc.nat(2 * day) });
    const asked = fc.record({
      word: fc.constantFrom('', 'port:1', '!port:2', 'verdict:denied', 'from:shop/ port:0-1'),
      since: fc.nat(11_000),
      length: fc.integer({ min: 1, max: 11_000 }),
      step: fc.constantFrom(15, 60, 600, 3600),
      most: fc.constantFrom(2, 100),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { maxLength: 3 }),
        fc.array(asked, { minLength: 3, maxLength: 3 }),
        async (batches, questions) => {
          const engines: AnyEngine[] = [await openDuckDb(null), await anEngine()];
          const known = new Set<string>();
          let now = begin + 10_500;
          for (const { flows, waits } of batches) {
            // A flow is sent again with higher counts before its bucket is rolled up.
            const once = [...new Map(flows.map((one) => [one.id, one])).values()].filter(({ id }) => !known.has(id));
            for (const { id } of once) known.add(id);
            for (const engine of engines) {
              const more = once.map((one) => ({ ...one, bytes: { in: one.bytes.in + 1_000, out: one.bytes.out } }));
              // Flows that arrive after their tier was added up may be missing for a moment: this test does not query them.
              await engine.append(
                once.map((one) => ({ flow: one, again: true })),
                null,
              );
              await engine.append(
                more.map((one) => ({ flow: one, again: true })),
                { since: begin, until: now },
              );
              await engine.rollUp(now, historyTiers(keptSeconds));
            }
            now += waits;
            for (const engine of engines) await engine.rollUp(now, historyTiers(keptSeconds));
            // An aggregator sends nothing older than it keeps.
            if (waits > 3600) break;
          }
          for (const { word, since, length, step, most } of questions) {
            const { terms } = parseQuery(word).query;
            const query = { terms, since: begin + since, until: begin + since + length };
            const [one, other] = await Promise.all(
              engines.map(async (engine) => [
                await engine.list(query, most),
                await engine.series(query, step),
                await engine.spans(),
              ]),
            );
            expect(other).toEqual(one);
          }
          for (const engine of engines) await engine.close();
        },
      ),
      { numRuns: 8 },
    );
  });

  test('what comes again after a kill, or from a second collector, is there once', async () => {
    const cluster = aCluster();
    const flows = [0, 15, 30].map((later) => aFlowWithId({ start: begin + later }));
    const aSink = async (goesOn: boolean) =>
      clickHouseSink({ access: await access(), cluster, keptSeconds, goesOn, now: () => begin + 60, tell });
    const [one, other] = [await aSink(false), await aSink(false)];
    await Promise.all([one.take(flows.slice(0, 2).map(flowEvent)), other.take(flows.slice(0, 2).map(flowEvent))]);
    await one.close();
    await other.close();
    const again = await aSink(true);
    await again.take(flows.map(flowEvent));
    await again.take([
      { type: 'lost', since: begin + 45, until: begin + 90, because: 'a test' },
      flowEvent(aFlowWithId({ start: begin + 90 })),
    ]);
    expect(
      await again.take([
        flowEvent(aFlowWithId({ start: begin + 9 * day })),
        flowEvent(aFlowWithId({ start: begin + 105 })),
      ]),
    ).toEqual({
      refused: 1,
      because: expect.stringContaining('more than an hour from now'),
    });
    await again.close();
    const engine = await anEngine(cluster);
    const series = await engine.series(everything, 15);
    expect(series.map(({ at, allowed }) => [at - begin, allowed])).toEqual([0, 15, 30, 90, 105].map((at) => [at, 1]));
    expect(await engine.spans()).toEqual([
      { since: begin, until: begin + 45 },
      { since: begin + 90, until: begin + 120 },
    ]);
    await engine.close();
  });

  test('what no collector added up for days is there, is added up later, and only what was added up is removed', async () => {
    const cluster = aCluster();
    const now = Math.floor(Date.now() / 600_000) * 600;
    const old = now - 2 * day;
    const engine = await anEngine(cluster);
    await engine.append(
      [0, 15, 30].map((later) => ({ flow: aFlowWithId({ start: old + later }), again: false })),
      { since: old, until: old + 45 },
    );
    const clickHouse = await openDatabase(await access());
    const found = async (table: string) => {
      await clickHouse.run(`OPTIMIZE TABLE ${table} FINAL`);
      const [row] = await clickHouse.ask(`SELECT count() AS found FROM ${table} WHERE cluster = ?`, [cluster]);
      return Number(row?.found);
    };
    const sums = async () => (await engine.series(everything, 600)).map(({ at, allowed }) => [at, allowed]);
    expect([await found('flows_15s'), await sums()]).toEqual([3, [[old, 3]]]);
    await engine.removeFiner();
    expect(await found('flows_15s')).toBe(3);
    await engine.rollUp(now, historyTiers(keptSeconds));
    await engine.removeFiner();
    expect([await found('flows_15s'), await found('flows_60s'), await sums()]).toEqual([0, 1, [[old, 3]]]);
    expect(await engine.spans()).toEqual([{ since: old, until: old + 45 }]);
    await clickHouse.close();
    await engine.close();
  });

  test('a collector that keeps less, or whose clock is years ahead, hides nothing that others have written', async () => {
    const cluster = aCluster();
    const now = Math.floor(Date.now() / 600_000) * 600;
    const long = openClickHouse(await openDatabase(await access()), {
      cluster,
      keptSeconds: 365 * day,
      now: () => now,
    });
    const [old, until] = [now - 100 * day, now - 90 * day];
    await long.append([{ flow: aFlowWithId({ start: old }), again: false }], { since: old, until });
    let added = 0;
    const clickHouse = await openDatabase(await access());
    const run: typeof clickHouse.run = (text, values) => {
      added += 1;
      return clickHouse.run(text, values);
    };
    const short = openClickHouse({ ...clickHouse, run }, { cluster, keptSeconds });
    await short.append([{ flow: aFlowWithId({ start: now - 15 }), again: false }], { since: until, until: now });
    await short.rollUp(now + 1000 * day, historyTiers(keptSeconds));
    await short.close();
    // Two hours of two tiers, and not each of a hundred days.
    expect(added).toBe(4);
    await long.rollUp(now, historyTiers(365 * day));
    expect((await long.series(everything, day)).map(({ allowed }) => allowed)).toEqual([1, 1]);
    expect(await long.spans()).toEqual([
      { since: old, until },
      { since: now - keptSeconds, until: now },
    ]);
    await long.close();
  });

  test('time of flows that were refused is a gap', async () => {
    const cluster = aCluster();
    const sink = clickHouseSink({
      ...{ access: await access(), cluster, keptSeconds, goesOn: false, now: () => begin + 120, tell },
    });
    const starts = [0, 9 * day, 60];
    await sink.take(starts.map((later) => flowEvent(aFlowWithId({ start: begin + later }))));
    await sink.close();
    const engine = await anEngine(cluster);
    expect(await engine.spans()).toEqual([0, 60].map((at) => ({ since: begin + at, until: begin + at + 15 })));
    await engine.close();
  });

  test('a list joins the keys that it names, however many a cluster has', async () => {
    const cluster = aCluster();
    const clickHouse = await openDatabase(await access());
    const ask: typeof clickHouse.ask = (text, values) =>
      clickHouse.ask(text.startsWith('WITH summed') ? `${text} SETTINGS max_rows_in_join = 10` : text, values);
    const engine = openClickHouse({ ...clickHouse, ask }, { cluster, keptSeconds });
    const flows = Array.from({ length: 100 }, (_, port) => aFlowWithId({ start: begin + port * 15, port }));
    await engine.append(
      flows.map((flow) => ({ flow, again: false })),
      null,
    );
    expect((await engine.list(everything, 5)).flows).toHaveLength(5);
    await engine.close();
  });

  test('flows are taken while older ones cannot be added up, which is said once', async () => {
    const cluster = aCluster();
    const lines: string[] = [];
    const sink = clickHouseSink({
      ...{ access: await access(), cluster, keptSeconds, goesOn: false, now: () => begin + 60 },
      tell: (line) => lines.push(line),
      tendMs: 5,
      open: async () => ({
        ...(await anEngine(cluster)),
        rollUp: async () => {
          throw new Error('It has too much to do.');
        },
      }),
    });
    await sink.take([flowEvent(aFlowWithId({ start: begin }))]);
    await expect.poll(() => lines.length).toBe(1);
    expect(await sink.take([flowEvent(aFlowWithId({ start: begin + 15 }))])).toEqual({ refused: 0, because: '' });
    expect(lines).toEqual([expect.stringMatching(/^Older flows were not added up: It has too much to do\. Trying/)]);
    await sink.close();
  });

  test('two that start at once make the tables once, one that ended halfway is gone on with, and a newer database is left alone', async () => {
    const fresh = { ...(await access()), database: 'at_once' };
    const both = await Promise.all([openDatabase(fresh), openDatabase(fresh)]);
    expect(await both[0]?.ask('SELECT count() AS found FROM system.tables WHERE database = currentDatabase()')).toEqual(
      [{ found: '7' }],
    );
    const next = ['ALTER TABLE floors ADD COLUMN IF NOT EXISTS note String', 'NOT a statement of ours'];
    await expect(openDatabase(fresh, [[], next])).rejects.toThrow('SYNTAX_ERROR');
    const mended = await openDatabase(fresh, [[], [next[0] ?? '']]);
    const reached = await mended.ask('SELECT max(version) AS version FROM schema_version');
    expect([reached, await mended.ask('SELECT note FROM floors')]).toEqual([[{ version: 2 }], []]);
    for (const one of [...both, mended]) await one.close();
    await expect(openDatabase(fresh)).rejects.toThrow(
      /^Database at_once of ClickHouse at .* newer release .*version 2/,
    );
  });

  test('the server removes what is older than it was to be kept', async () => {
    const cluster = aCluster();
    const now = Math.floor(Date.now() / 1000);
    const engine = await anEngine(cluster);
    const flows = [now - 20 * day, now].map((start) => ({ flow: aFlowWithId({ start }), again: false }));
    await engine.append(flows, null);
    const clickHouse = await openDatabase(await access());
    await clickHouse.run('OPTIMIZE TABLE flows_15s FINAL');
    const left = await clickHouse.ask('SELECT start FROM flows_15s WHERE cluster = ?', [cluster]);
    expect(left).toEqual([{ start: now }]);
    expect((await engine.list(everything, 10)).flows).toHaveLength(1);
    await clickHouse.close();
    await engine.close();
  });

  test('a wrong password, and a server that is away, are said without what was given', async () => {
    const wrong = { ...(await access()), password: 'wr0ng-secret' };
    const sink = (given: ClickHouseAccess) =>
      clickHouseSink({ access: given, cluster: 'a', keptSeconds, goesOn: false, now: () => begin, tell });
    const failed = async (given: ClickHouseAccess) =>
      sink(given)
        .take([flowEvent(aFlowWithId({ start: begin }))])
        .catch((error: unknown) => error);
    expect(await failed(wrong)).toMatchObject({
      kind: 'ends',
      message: `ClickHouse at ${wrong.url} refuses: the user or the password is wrong: check SIGNALBOX_CLICKHOUSE_USER and _PASSWORD.`,
    });
    expect(await failed({ ...wrong, url: 'http://127.0.0.1:1' })).toMatchObject({
      kind: 'waits',
      message: 'ClickHouse at http://127.0.0.1:1 does not answer: ECONNREFUSED.',
    });
  });

  test('while it is rolled up a reader sees all of it at any moment', async () => {
    const cluster = aCluster();
    const engine = await anEngine(cluster);
    const count = 240;
    await engine.append(
      Array.from({ length: count }, (_, index) => ({ flow: aFlowWithId({ start: begin + index * 15 }), again: false })),
      null,
    );
    let isDone = false;
    // A reader may come between any two of its statements.
    const clickHouse = await openDatabase(await access());
    const run: typeof clickHouse.run = async (...given) => {
      await sleep(200);
      await clickHouse.run(...given);
      await sleep(200);
    };
    const writer = openClickHouse({ ...clickHouse, run }, { cluster, keptSeconds });
    const rolling = (async () => {
      for (const later of [3_600, 5_400, 2 * day, 3 * day])
        await writer.rollUp(begin + later, historyTiers(keptSeconds));
      isDone = true;
    })();
    while (!isDone) {
      const [sum] = await engine.series(everything, day);
      const { flows } = await engine.list(everything, 10);
      expect([sum?.allowed, flows.map(({ bytes }) => bytes.in)]).toEqual([count, [count * 1_000]]);
    }
    await rolling;
    await writer.close();
    await engine.close();
  });

  test('what others wrote that is no flow is passed over', async () => {
    const cluster = aCluster();
    const engine = await anEngine(cluster);
    const flows = [1, 2, 3].map((port) => aFlowWithId({ start: begin, port }));
    await engine.append(
      flows.map((flow) => ({ flow, again: false })),
      null,
    );
    const clickHouse = await openDatabase(await access());
    for (const [port, rest] of [
      ['1', 'no JSON'],
      ['2', '{"hash":"a","from":{"kind":"<b>"}}'],
    ])
      await clickHouse.run(
        `INSERT INTO keys SELECT * REPLACE (? AS rest, expires + 1 AS expires) FROM keys WHERE cluster = ? AND port = ${port}`,
        [rest ?? '', cluster],
      );
    expect((await engine.list(everything, 10)).flows).toEqual([flows[2]]);
    await clickHouse.close();
    await engine.close();
  });

  test('`flows collect --clickhouse` writes what there is until it is stopped', async () => {
    const { url, user, password } = await access();
    const stop = new AbortController();
    const flows = await commands.flows?.load();
    if (flows === undefined) return expect.unreachable();
    const env = { SIGNALBOX_CLICKHOUSE_USER: user, SIGNALBOX_CLICKHOUSE_PASSWORD: password };
    const argv = ['collect', '--clickhouse', `${url}/by_command`, '--sandbox', 'flow-logs'];
    const ended = runCommand(flows, argv, 100, env, { signal: stop.signal });
    const clickHouse = await openDatabase({ url, user, password, database: 'by_command' });
    const found = async () => Number((await clickHouse.ask('SELECT count() AS found FROM recorded'))[0]?.found);
    await expect.poll(found).toBeGreaterThan(0);
    stop.abort();
    const { code, err } = await ended;
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Collecting into http:.*\/by_command\. Flows come 30 to 45 s late\.\nStopped\. [\d,]+ flows collected\.\n$/,
    );
    expect(err).not.toContain(password);
    const [rows] = await clickHouse.ask('SELECT count() AS found, uniq(cluster) AS clusters FROM flows_15s FINAL');
    const collected = /([\d,]+) flows collected/.exec(err)?.[1]?.replaceAll(',', '');
    expect(rows).toEqual({ found: collected, clusters: '1' });
    await clickHouse.close();
  });

  test('a console that is told of ClickHouse reads there what collectors wrote, and says when they fall silent', async () => {
    const given = await access();
    const now = Math.floor(Date.now() / 15_000) * 15;
    const flows = [60, 45, 30].map((ago) => aFlowWithId({ start: now - ago }));
    const sink = clickHouseSink({ access: given, cluster: 'seen', keptSeconds, goesOn: false, now: () => now, tell });
    await sink.take(flows.map(flowEvent));
    const histories = await reading(given, 'seen');
    const history = await histories.existing('default');
    expect(history?.newest()).toBe(now - 15);
    expect(history?.state()).toEqual({ isRecording: true, note: null });
    const asked = parseQuery('since:45s').query;
    expect(await history?.series(asked)).toMatchObject({ steps: [1, 1, 1].map((allowed) => ({ allowed, denied: 0 })) });
    expect((await history?.list(asked, 10))?.flows).toMatchObject([
      { start: now - 60, end: now - 15, from: flows[0]?.from },
    ]);
    await sink.close();
    await histories.close();
    const others = await reading(given, 'another');
    expect((await others.of('default'))?.state().note).toContain('No collector has written flows of this cluster yet');
    await others.close();
    // A reader creates nothing.
    const nowhere = await reading({ ...given, database: 'nowhere' }, 'seen');
    await expect(nowhere.of('default')).rejects.toThrow('it has no history of flows there');
    await nowhere.close();
  });

  test('`flows --clickhouse` reads there what collectors wrote, of its own cluster alone, and says what is missing', async () => {
    const given = await access();
    const now = Math.floor(Date.now() / 15_000) * 15;
    for (const [cluster, start] of [['asked', now - 9 * day] as const, ['another', now - 8 * day] as const]) {
      const options = { access: given, cluster, keptSeconds: 30 * day, goesOn: false, now: () => now, tell };
      const sink = clickHouseSink(options);
      await sink.take([flowEvent(aFlowWithId({ start }))]);
      await sink.close();
    }
    const flows = await commands.flows?.load();
    if (flows === undefined) return expect.unreachable();
    const asked = async (uid: string, text: string, password = given.password) => {
      const env = { SIGNALBOX_CLICKHOUSE_USER: given.user, SIGNALBOX_CLICKHOUSE_PASSWORD: password };
      const kubeconfig = await aClusterOf(uid);
      const argv = [text, '--clickhouse', given.url, '--kubeconfig', kubeconfig, '-o', 'ndjson'];
      const { out, err, code } = await runCommand(flows, argv, 100, env);
      expect(code).toBe(0);
      return { starts: out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).start])), err };
    };
    const at = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
    expect(await asked('asked', 'since:10d')).toEqual({
      starts: [at(now - 9 * day)],
      err: [
        `The history in ClickHouse begins at ${at(now - 9 * day)} and ends at ${at(now - 9 * day + 15)}: what was not recorded since is missing.`,
        `No collector has written flows of this cluster since ${at(now - 9 * day + 15)}.\n`,
      ].join('\n'),
    });
    expect((await asked('asked', 'since:10d port:1')).starts).toEqual([]);
    expect(await asked('nobody', 'since:10d')).toEqual({
      starts: [],
      err: expect.stringMatching(/^No collector has written flows of this cluster yet/),
    });
    await expect(asked('asked', 'since:1h', 'wr0ng-secret')).rejects.toMatchObject({
      exitCode: 4,
      message: expect.stringMatching(/^ClickHouse at .* refuses: the user or the password is wrong/),
    });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'a server that goes away, and one whose disk is full, are said; what was not written is written when it can be',
    async () => {
      const own = await startClickHouse(packages, await aSmallDisk());
      const given = { url: own.url, user: own.user, password: own.password, database: 'small' };
      const now = Math.floor(Date.now() / 15_000) * 15;
      const sink = clickHouseSink({ access: given, cluster: 'seen', keptSeconds, goesOn: false, now: () => now, tell });
      await sink.take([flowEvent(aFlowWithId({ start: now - 60 }))]);
      const filler = join(disk ?? '', 'filler');
      await writeFile(filler, randomBytes(smallBytes)).catch(() => undefined);
      const many = Array.from({ length: 5_000 }, (_, port) => flowEvent(aFlowWithId({ start: now - 45, port })));
      const refusal = await sink.take(many).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ kind: 'waits', message: `ClickHouse at ${own.url} refuses: its disk is full.` });
      await rm(filler);
      expect(await sink.take(many)).toEqual({ refused: 0, because: '' });
      const histories = await reading(given, 'seen');
      const history = await histories.of('default');
      expect(await history?.list(parseQuery('since:1m').query, 10_000)).toMatchObject({
        isCut: false,
        flows: { length: 5_001 },
      });
      await own.stop();
      await history?.tidy();
      const away = `ClickHouse at ${own.url} does not answer: ECONNREFUSED.`;
      expect(history?.state()).toEqual({ isRecording: false, note: away });
      await expect(history?.list(parseQuery('since:1m').query, 10)).rejects.toThrow(away);
      await histories.close();
      await own.remove();
    },
  );
});
