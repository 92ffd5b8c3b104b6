import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openClickHouse, openDatabase } from '#lib/flows/history/sql/clickhouse/index.ts';
import { type Flow, historyTiers, matchesQuery, mostBuffered, openDuckDb, parseQuery } from '#lib/flows/index.ts';
import { ensureChdb, type RunningClickHouse, startClickHouse } from '../../clickhouse/index.ts';
import type { Benchmark } from '../benchmark.ts';
import { busyFlow } from './busy-flow.ts';

const begin = 1_800_000_000 - 7 * 86_400;
const hourBegins = 1_800_000_000 - 3600;
/** As a history writes to DuckDB; to ClickHouse, whose memory is not this process's and where each batch is three requests, as many as ever in this bench. */
const batchSizes = { duckDb: mostBuffered, clickHouse: 10_000 };
/** What the page asks for: its chart and its rows, of all flows and of few. */
const asked = [
  '',
  'verdict:denied',
  'from:ns-7/app-1* verdict:denied',
  'to:ns-3/app-30 port:443',
  'policy:default/policy-5',
];
const shownRows = 500;

/**
 * The history of flows: one hour of `--distinct` flows (1,000,000), each reported twice, and `--days` (7) of 2,000 each ten minutes; against lines of JSON
 * in a file, and a scan of it. `--clickhouse`: in ClickHouse instead, which is its engine in one process (chdb) behind the HTTP server of our tests, one
 * statement at a time: what a server of its own would take less time for. Nothing else runs while questions are asked, but for the last line, where flows are written meanwhile.
 */
export const flows: Benchmark = {
  name: 'flows',
  title: 'A history of flows: written, and asked',
  async run({ report, options }) {
    const distinct = Number(options.distinct ?? 1_000_000);
    const days = Number(options.days ?? 7);
    const folder = await mkdtemp(join(tmpdir(), 'bench-flows-'));
    const path = join(folder, 'flows.duckdb');
    const clickHouse = options.clickhouse === undefined ? null : await startClickHouse(await ensureChdb());
    const engine = clickHouse === null ? await openDuckDb(path) : await inClickHouse(clickHouse);
    const batchSize = clickHouse === null ? batchSizes.duckDb : batchSizes.clickHouse;
    const memory = sampledMemory();
    try {
      const ofDays = (days * 144 - 6) * 2_000;
      for (let from = 0; from < ofDays; from += batchSize) {
        const flowsOfDays = Array.from({ length: Math.min(batchSize, ofDays - from) }, (_, index) =>
          busyFlow((from + index) % 2_000, begin + Math.floor((from + index) / 2_000) * 600),
        );
        await engine.append(unseen(flowsOfDays), null);
      }
      await engine.rollUp(hourBegins, historyTiers(7 * 86_400));
      report(`${days} days are written: ${memory()}`);

      let writingMs = 0;
      const processor = process.cpuUsage();
      let written = 0;
      for (let from = 0; from < 2 * distinct; from += batchSize) {
        const batch = hourOf(from, batchSize, distinct);
        const began = performance.now();
        await engine.append(unseen(batch), { since: hourBegins, until: batch.at(-1)?.end ?? hourBegins });
        writingMs += performance.now() - began;
        written += batch.length;
      }
      const rate = written / (writingMs / 1000);
      const { user, system } = process.cpuUsage(processor);
      const rateOfProcessor = written / ((user + system) / 1e6);
      report(`the hour is written: ${memory()}`);

      const hour = { since: hourBegins, until: hourBegins + 3600 };
      const week = { since: begin, until: hourBegins + 3600 };
      const ask = async (range: typeof hour, step: number, rounds: number) => {
        const took: number[] = [];
        for (let round = 0; round < rounds; round++)
          for (const text of asked) {
            const query = { ...range, terms: parseQuery(text).query.terms };
            took.push(await timed(() => engine.series(query, step)), await timed(() => engine.list(query, shownRows)));
          }
        return took;
      };
      const ofHour = await ask(hour, 30, Number(options.rounds ?? 10));
      const ofWeek = await ask(week, 3600, Math.ceil(Number(options.rounds ?? 10) / 3));
      report(`asked: ${memory()}`);
      let isOver = false;
      const writing = (async () => {
        for (let from = 0; !isOver; from += batchSize) {
          const due = performance.now() + (batchSize / 20_000) * 1000;
          await engine.append(unseen(hourOf(from % distinct, batchSize, distinct, 3600)), null);
          await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
        }
      })();
      const meanwhile = await ask(hour, 30, Math.ceil(Number(options.rounds ?? 10) / 3));
      isOver = true;
      await writing;
      const own = memory();
      const residentMiB = process.resourceUsage().maxRSS / 1024;
      const fileMiB = clickHouse === null ? (await stat(path)).size / 1024 ** 2 : null;

      const lines = join(folder, 'flows.ndjson');
      const linesMs = await timed(() => writeLines(lines, distinct));
      const scanMs = await timed(() => scan(lines, 'from:ns-7/app-1* verdict:denied'));
      const linesMiB = (await stat(lines)).size / 1024 ** 2;
      return [
        `written      ${rate.toFixed(0)} flows/s (≥ 20,000), ${rateOfProcessor.toFixed(0)} for a second of the processor; ${distinct} distinct flows, ${written} rows`,
        `asked        an hour: p50 ${at(ofHour, 0.5)} ms, p99 ${at(ofHour, 0.99)} ms (≤ 150); 7 days: p99 ${at(ofWeek, 0.99)} ms (≤ 1,000)`,
        `meanwhile    an hour, while 20,000 flows/s are written: p50 ${at(meanwhile, 0.5)} ms, p99 ${at(meanwhile, 0.99)} ms (≤ 150)`,
        `memory       ${own} (≤ 512; RssAnon, the bench itself included), ${residentMiB.toFixed(0)} MiB with pages of programs and libraries; file ${fileMiB?.toFixed(0) ?? '–'} MiB`,
        `NDJSON       ${((2 * distinct) / (linesMs / 1000)).toFixed(0)} flows/s written, one question ${scanMs.toFixed(0)} ms, file ${linesMiB.toFixed(0)} MiB`,
        `scan ÷ p99 of an hour: ${(scanMs / Number(at(ofHour, 0.99))).toFixed(0)}`,
      ];
    } finally {
      await engine.close();
      await clickHouse?.remove();
      await rm(folder, { recursive: true });
    }
  },
};

/** As a collector writes and a console reads. */
async function inClickHouse({ url, user, password }: RunningClickHouse): Promise<ReturnType<typeof openClickHouse>> {
  const access = { url, user, password, database: 'bench' };
  const options = { cluster: 'bench', keptSeconds: 30 * 86_400, now: () => hourBegins + 3600 };
  return openClickHouse(await openDatabase(access), options);
}

const unseen = (batch: readonly Flow[]) => batch.map((flow) => ({ flow, again: false }));

/** Rows of the hour in the order in which they arrive: every flow twice, spread over its 240 buckets. */
function hourOf(from: number, most: number, distinct: number, later = 0): Flow[] {
  return Array.from({ length: Math.min(most, 2 * distinct - from) }, (_, index) => {
    const bucket = Math.floor(((from + index) / (2 * distinct)) * 240);
    return busyFlow((from + index) % distinct, hourBegins + later + bucket * 15);
  });
}

/** Begins to look at what the process has of memory of its own; answers with the most that it was up to now, and what of that was JavaScript's. */
function sampledMemory(): () => string {
  let most = { own: 0, heap: 0 };
  const look = () => {
    const [, kiB] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    const own = Math.round(Number(kiB) / 1024);
    if (own > most.own) most = { own, heap: Math.round(process.memoryUsage().heapTotal / 1024 ** 2) };
    return `${most.own} MiB at most (${most.heap} of them JavaScript’s)`;
  };
  setInterval(look, 100).unref();
  return look;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const at = (took: readonly number[], part: number) =>
  (took.toSorted((one, other) => one - other)[Math.ceil(took.length * part) - 1] ?? 0).toFixed(0);

async function writeLines(path: string, distinct: number): Promise<void> {
  const out = createWriteStream(path);
  const most = batchSizes.duckDb;
  for (let from = 0; from < 2 * distinct; from += most) {
    const text = hourOf(from, most, distinct).map((flow) => `${JSON.stringify(flow)}\n`);
    if (!out.write(text.join(''))) await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(() => resolve()));
}

async function scan(path: string, text: string): Promise<number> {
  const { query } = parseQuery(text);
  let found = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const flow: Flow = JSON.parse(line);
    if (matchesQuery(flow, query)) found++;
  }
  return found;
}
