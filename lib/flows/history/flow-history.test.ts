import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import type { Flow } from '../flow.ts';
import { parseQuery } from '../query/parse-query.ts';
import { aFlow } from '../testing/a-flow.ts';
import { keyHash } from '../wire/read-flow.ts';
import { type FlowHistory, type HistoryOptions, openHistory } from './flow-history.ts';
import { isDamage } from './open-or-set-aside.ts';
import { openDuckDb } from './sql/duckdb/open-duckdb.ts';

const begin = 1_800_000_000;
const at = (seconds: number, changed: Parameters<typeof aFlow>[0] = {}): Flow => {
  const made = aFlow({ start: begin + seconds, ...changed });
  return { ...made, id: `${made.start.toString(36)}-${keyHash(made)}` };
};
const opened = (options: Partial<HistoryOptions> = {}) =>
  openHistory({
    path: null,
    keptSeconds: 86_400,
    mostBytes: 1e9,
    now: () => begin,
    log: () => undefined,
    ...options,
  });
const iso = (seconds: number) => new Date((begin + seconds) * 1000).toISOString();
const aPath = () => join(testFolder('flow-history'), 'a.duckdb');
const tell = async (history: FlowHistory, ...seconds: number[]) => {
  for (const second of seconds) await history.take({ type: 'flow', flow: at(second) });
  await history.flush();
};
const allowedCounts = async (history: FlowHistory, text: string) => {
  const { steps } = await history.series(parseQuery(text).query);
  return steps.map((step) => step?.allowed ?? null);
};

test('time that was not recorded is a gap, and time in which nothing was told is none', async () => {
  const history = await opened();
  await history.take({ type: 'connected', process: 'one' });
  await tell(history, 0, 15, 60);
  await history.take({ type: 'gap', since: begin + 75 });
  await tell(history, 120);
  expect(await allowedCounts(history, 'since:150s')).toEqual([null, 1, 1, 0, 0, 1, null, null, null, 1]);
  expect(await history.spans()).toEqual([
    { since: begin, until: begin + 75 },
    { since: begin + 120, until: begin + 135 },
  ]);
  await history.close();
});

test('after a restart it goes on where the aggregator still tells what is known, without doubles', async () => {
  const path = aPath();
  const before = await opened({ path });
  await before.take({ type: 'connected', process: 'one' });
  await tell(before, 0, 15);
  await before.close();
  const after = await opened({ path });
  await after.take({ type: 'connected', process: 'one' });
  await tell(after, 15, 30);
  expect(await allowedCounts(after, 'since:45s')).toEqual([1, 1, 1]);
  expect(await after.spans()).toEqual([{ since: begin, until: begin + 45 }]);
  await after.close();
  const late = await opened({ path });
  await tell(late, 90);
  expect(await late.spans()).toEqual([
    { since: begin, until: begin + 45 },
    { since: begin + 90, until: begin + 105 },
  ]);
  await late.close();
});

test('a damaged file is set aside and said, and a new one is begun', async () => {
  const path = aPath();
  await writeFile(path, Buffer.alloc(20_000, 'x'));
  const history = await opened({ path });
  expect(history.state()).toEqual({ isRecording: false, note: expect.stringContaining(`${path}.damaged`) });
  await tell(history, 0);
  expect(history.state().isRecording).toBe(true);
  expect((await history.list(parseQuery('since:1h').query, 10)).flows).toEqual([at(0)]);
  await history.close();
  expect(await readdir(join(path, '..'))).toContain('a.duckdb.damaged');
});

test.each([
  ['IO Error: The file "a" exists, but it is not a valid DuckDB database file!', true],
  [
    'IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2 in block at location 3',
    true,
  ],
  ['IO Error: Could not read enough bytes from file "a": attempted to read 4096 bytes from location 0', true],
  ['IO Error: Failure while replaying WAL file "a.wal": Corrupt WAL file: entry at byte position 1', true],
  ['Serialization Error: Failed to deserialize: field id mismatch', true],
  ['IO Error: Failure while replaying WAL file "a.wal": Out of Memory Error: could not allocate block', false],
  ["/lib/libstdc++.so.6: version `GLIBCXX_3.4.26' not found", false],
  ['libduckdb.so: cannot open shared object file: No such file or directory', false],
  ['Unsupported arch for linux: riscv64', false],
  ['IO Error: Cannot open file "a": Too many open files', false],
  ['Out of Memory Error: failed to allocate', false],
  ['written by a newer release: version 2', false],
])('%s: damage is %s', (words, expected) => {
  expect(isDamage(words)).toBe(expected);
});

test('a file that is in order stays where it is, with its log, when the system cannot open it', async () => {
  const path = aPath();
  await writeFile(path, 'in order');
  await writeFile(`${path}.wal`, 'in order');
  const open = () => openDuckDb(path, () => Promise.reject(new Error("version `GLIBCXX_3.4.26' not found")));
  await expect(opened({ path, open })).rejects.toThrow('cannot be opened: this system has no DuckDB');
  expect(await readdir(join(path, '..'))).toEqual(['a.duckdb', 'a.duckdb.wal']);
});

test('a file of an older release is set aside, and one of a newer release stays', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const written = async (version: number) => {
    const path = aPath();
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE meta AS SELECT ${version}::UINTEGER AS version`);
    connection.closeSync();
    instance.closeSync();
    return path;
  };
  const old = await written(1);
  const history = await opened({ path: old });
  expect(history.state().note).toContain(`of an older release: it was set aside as ${old}.older`);
  await history.close();
  const newer = await written(99);
  await expect(opened({ path: newer })).rejects.toThrow('written by a newer release: version 99');
  expect(await readdir(join(newer, '..'))).toEqual(['a.duckdb']);
});

test('a second damaged file is set aside beside the first, and a second failure is a sentence', async () => {
  const path = aPath();
  for (const byte of ['x', 'y']) {
    await writeFile(path, Buffer.alloc(20_000, byte));
    await (await opened({ path })).close();
  }
  expect((await readdir(join(path, '..'))).sort()).toEqual(['a.duckdb', 'a.duckdb.damaged', 'a.duckdb.damaged-2']);
  await expect(
    opened({ path: aPath(), open: () => Promise.reject(new Error('Corrupt WAL file: entry')) }),
  ).rejects.toThrow('The history of flows cannot be opened: Corrupt WAL file');
});

test.each([
  ['too old', 3600, 1],
  ['too large', 86_400, 1e12],
])('time that was removed as %s is not said to be recorded, whatever comes after', async (_why, keptSeconds, used) => {
  const sizes = [used];
  const history = await opened({
    keptSeconds,
    now: () => begin + 6000,
    open: async (path) => ({ ...(await openDuckDb(path)), usedBytes: async () => sizes.pop() ?? 0 }),
  });
  await history.take({ type: 'connected', process: 'one' });
  await tell(history, 0, 1200, 2400, 3600, 4800);
  await history.tidy();
  const [left] = await history.spans();
  expect(left?.since).toBeGreaterThan(begin);
  await tell(history, 4815);
  expect(await history.spans()).toEqual([{ since: left?.since, until: begin + 4830 }]);
  await history.close();
});

test('in memory it is kept small, whatever a file may take', async () => {
  const sizes = [200e6];
  const open: HistoryOptions['open'] = async (path) => ({
    ...(await openDuckDb(path)),
    usedBytes: async () => sizes.pop() ?? 0,
  });
  const history = await opened({ mostBytes: 5e9, now: () => begin + 6000, open });
  await tell(history, 0, 1200, 2400, 3600, 4800);
  await history.tidy();
  expect((await history.spans())[0]?.since).toBeGreaterThan(begin);
  await history.close();
  const own = await openDuckDb(null);
  expect(await own.usedBytes()).toBeGreaterThan(0);
  await own.close();
});

test('what nobody tells of any more grows old, with a day of doubt about the clock', async () => {
  const clock = { now: begin };
  const history = await opened({ keptSeconds: 3600, now: () => clock.now });
  await tell(history, 0, 15);
  await history.left();
  clock.now += 86_400;
  await history.tidy();
  expect(await history.spans()).toHaveLength(1);
  clock.now += 2 * 3600;
  await history.tidy();
  expect(await history.spans()).toEqual([]);
  await history.close();
});

test('what is too old is removed while the disk is full', async () => {
  let free = 1e12;
  const history = await opened({ keptSeconds: 3600, now: () => begin + 6000, freeBytes: async () => free });
  await tell(history, 0, 15);
  free = 0;
  await tell(history, 5400);
  await history.tidy();
  expect(history.state().note).toContain('almost full');
  expect((await history.list({ ...parseQuery(`since:${iso(0)}`).query }, 10)).flows).toEqual([]);
  expect(await history.spans()).toEqual([]);
  await history.close();
});

test('one flow from the future does not stop the clock, and is said', async () => {
  const history = await opened();
  await tell(history, 0, 4000);
  expect(history.state().note).toContain('more than an hour from now');
  await tell(history, 15);
  expect(history.state()).toEqual({ isRecording: true, note: null });
  expect(history.newest()).toBe(begin + 30);
  expect(await history.spans()).toEqual([{ since: begin, until: begin + 30 }]);
  await history.close();
});

test('a flow that is less than an hour ahead adds nothing up that the aggregator still tells again', async () => {
  const history = await opened({ now: () => begin + 600 });
  await tell(history, 0, 4100);
  await history.tidy();
  await history.take({ type: 'connected', process: 'one' });
  await history.take({ type: 'grown', flow: at(0, { bytes: { in: 9, out: 9 } }) });
  await history.flush();
  const { flows } = await history.list(parseQuery(`since:${iso(0)} until:${iso(60)}`).query, 10);
  expect(flows.map(({ bytes, end }) => [bytes.in, end])).toEqual([[9, begin + 15]]);
  await history.close();
});

test('a full disk stops the history and says so, and it goes on when there is room', async () => {
  const disk = { free: 1e12, isBroken: false };
  const path = aPath();
  const history = await opened({
    path,
    freeBytes: async () => disk.free,
    open: async (where) => {
      const engine = await openDuckDb(where);
      return {
        ...engine,
        append: (...given) =>
          disk.isBroken ? Promise.reject(new Error('No space left on device')) : engine.append(...given),
      };
    },
  });
  await history.take({ type: 'connected', process: 'one' });
  await tell(history, 0);
  disk.free = 1e6;
  await tell(history, 15);
  expect(history.state()).toEqual({ isRecording: false, note: expect.stringContaining('almost full') });
  disk.free = 1e12;
  disk.isBroken = true;
  await tell(history, 30);
  expect(history.state()).toEqual({ isRecording: false, note: expect.stringContaining('cannot be written') });
  disk.isBroken = false;
  await tell(history, 45, 60);
  expect(history.state()).toEqual({ isRecording: true, note: null });
  // Lost time is a gap.
  expect(await allowedCounts(history, 'since:75s')).toEqual([1, null, null, 1, 1]);
  await history.close();
});

test('a second process leaves the file alone, and says who has it; when that has ended it goes on with it', async () => {
  const path = aPath();
  const script = `
    const { openHistory } = await import(${JSON.stringify(join(import.meta.dirname, 'flow-history.ts'))});
    const history = await openHistory({ path: process.argv[1], keptSeconds: 86400, mostBytes: 1e9, now: () => ${begin}, log: () => {} });
    await history.take({ type: 'flow', flow: JSON.parse(process.argv[2]) });
    await history.flush();
    process.stdout.write('open\\n');
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path, JSON.stringify(at(0))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(opened({ path })).rejects.toThrow('Another process has the history of flows of this cluster open.');
  expect((await readdir(join(path, '..'))).filter((name) => name.includes('damaged'))).toEqual([]);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const history = await opened({ path });
  expect(history.state().note).toBeNull();
  expect((await history.list(parseQuery(`since:${iso(0)}`).query, 10)).flows).toEqual([at(0)]);
  await history.close();
});

test('what was written is there after kill -9, and can be asked for', async () => {
  const path = aPath();
  const script = `
    const { openHistory } = await import(${JSON.stringify(join(import.meta.dirname, 'flow-history.ts'))});
    const history = await openHistory({ path: process.argv[1], keptSeconds: 86400, mostBytes: 1e9, now: () => ${begin}, log: () => {} });
    const flow = JSON.parse(process.argv[2]);
    for (let second = 0; ; second += 15) {
      const start = flow.start + second;
      await history.take({ type: 'flow', flow: { ...flow, start, end: start + 15, id: start.toString(36) + flow.id.slice(-17) } });
      await history.flush();
      process.stdout.write(second + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path, JSON.stringify(at(0))], {
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  for await (const part of child.stdout) {
    written += String(part);
    if (written.split('\n').length > 20) break;
  }
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  const last = Number(written.split('\n').at(-2));
  const history = await opened({ path });
  expect(history.state().note).toBeNull();
  const steps = await allowedCounts(history, `since:${iso(0)} until:${iso(last + 15)}`);
  expect(steps.reduce((sum: number, count) => sum + (count ?? 0), 0)).toBe(last / 15 + 1);
  await history.close();
});
