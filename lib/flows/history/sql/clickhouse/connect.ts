import type { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { messageOf } from '#lib/base/message-of.ts';
import { tlsFault, trustedHere } from '#lib/base/network/tls-fault.ts';
import { visibleLine } from '#lib/text/index.ts';

/** The address and credentials of a ClickHouse. `url` is an origin. */
export type ClickHouseAccess = {
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
};

/** `waits`: the same may work later. `ends`: somebody must correct something first. `message` is a sentence. */
export class ClickHouseFault extends Error {
  override name = 'ClickHouseFault';
  readonly kind: 'waits' | 'ends';

  constructor(kind: 'waits' | 'ends', message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export type Row = { readonly [column: string]: unknown };

/** Runs our statements with their values. Each method rejects with a ClickHouseFault. */
export type ClickHouse = {
  /** Queries rows. Each `?` of the text stands for one value, in order. */
  ask(text: string, values?: readonly (string | number)[]): Promise<Row[]>;
  run(text: string, values?: readonly (string | number)[]): Promise<void>;
  /** Inserts rows, in the order of the table's columns. */
  insert(table: string, rows: readonly (readonly (string | number | null)[])[]): Promise<void>;
  close(): Promise<void>;
};

const answersWithinMs = 60_000;
/** Rolling up an hour of a busy cluster takes long. */
const worksWithinMs = 600_000;

/** `database` null: the user's default. `askedMs`: the time-out of queries. The library is loaded only here. */
export async function connectClickHouse(
  access: ClickHouseAccess,
  database: string | null,
  askedMs = answersWithinMs,
): Promise<ClickHouse> {
  const { ClickHouseLogLevel, createClient } = await import('@clickhouse/client');
  const connect = (request_timeout: number): ClickHouseClient =>
    createClient({
      url: access.url,
      username: access.user,
      password: access.password,
      ...(database === null ? {} : { database }),
      application: 'signalbox',
      request_timeout,
      compression: { request: true, response: false },
      // The library would write statements and their values to the console.
      log: { level: ClickHouseLogLevel.OFF },
      clickhouse_settings: {
        // Otherwise an alias in a query could change the meaning of a column of that name.
        prefer_column_name_to_alias: 1,
        do_not_merge_across_partitions_select_final: 1,
        // A list query contains its keys (questions.ts).
        max_query_size: '4194304',
        output_format_json_quote_64bit_integers: 1,
      },
    });
  const client = connect(askedMs);
  const patient = connect(worksWithinMs);
  const saying = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw (
        (isOdd(error) && (await client.exec(anyQuestion).then(notServed(access), () => null))) || faultOf(access, error)
      );
    }
  };
  return {
    ask: (text, values = []) =>
      saying(async () => {
        const answer = await client.query({ ...named(text, values), format: 'JSONEachRow' });
        return answer.json<Row>();
      }),
    run: (text, values = []) => saying(async () => void (await patient.command(named(text, values)))),
    insert: (table, rows) =>
      saying(async () => void (await client.insert({ table, values: [...rows], format: 'JSONCompactEachRow' }))),
    close: async () => void (await Promise.all([client.close(), patient.close()])),
  };
}

/** Whether an HTTP answer is not in ClickHouse's format; the library then does not report its status. */
const isOdd = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof SyntaxError) &&
  property(error, 'type') === null &&
  property(error, 'code') === null &&
  !/timeout/i.test(error.message);
const anyQuestion = { query: 'SELECT 1', ignore_error_response: true };

/** The fault for a status that waiting does not fix. A redirect is one: following it would send the password elsewhere. */
const notServed =
  ({ url }: ClickHouseAccess) =>
  ({ http_status_code: status = 200, stream }: { http_status_code?: number | undefined; stream: Readable }) => {
    stream.destroy();
    if (status < 300 || (status >= 400 && ![401, 403, 404].includes(status))) return null;
    return new ClickHouseFault('ends', `${url} is not ClickHouse: it answered with HTTP ${status}.`);
  };

/** Converts `?` to the engine's parameters, which have names and types. */
function named(text: string, values: readonly (string | number)[]) {
  let count = 0;
  const query = text.replace(/\?/g, () => {
    const type = typeof values[count] === 'number' ? 'Int64' : 'String';
    return `{v${count++}:${type}}`;
  });
  if (count !== values.length) throw new Error(`${values.length} values for ${count} places`);
  return { query, query_params: Object.fromEntries(values.map((value, index) => [`v${index}`, value])) };
}

const notLetIn = 'the user or the password is wrong: check SIGNALBOX_CLICKHOUSE_USER and _PASSWORD';
const notMade = 'it has no history of flows there; `signalbox flows collect --clickhouse` creates it';
/** Server errors that waiting does not fix, with a sentence where their own words do not say what to do. */
const ends: Readonly<Record<string, string | null>> = {
  AUTHENTICATION_FAILED: notLetIn,
  REQUIRED_PASSWORD: notLetIn,
  WRONG_PASSWORD: notLetIn,
  UNKNOWN_USER: notLetIn,
  ACCESS_DENIED: null,
  READONLY: 'the user may only read, or its profile lets no settings be given (it needs `readonly = 2`, not 1)',
  SETTING_CONSTRAINT_VIOLATION: null,
  UNKNOWN_DATABASE: notMade,
  UNKNOWN_TABLE: notMade,
  UNKNOWN_IDENTIFIER: null,
  NOT_FOUND_COLUMN_IN_BLOCK: null,
  NO_SUCH_COLUMN_IN_TABLE: null,
  UNKNOWN_FUNCTION: null,
  UNKNOWN_SETTING: null,
  SYNTAX_ERROR: null,
};
const waits: Readonly<Record<string, string>> = {
  NOT_ENOUGH_SPACE: 'its disk is full',
  MEMORY_LIMIT_EXCEEDED: 'it has too little memory at the moment',
  TOO_MANY_PARTS: 'it has too many parts to merge',
  TOO_MANY_SIMULTANEOUS_QUERIES: 'it is overloaded',
  TABLE_IS_READ_ONLY: 'its tables are read-only at the moment',
};

function faultOf({ url }: Pick<ClickHouseAccess, 'url'>, error: unknown): Error {
  const words = messageOf(error);
  const type = property(error, 'type');
  if (type === null) {
    if (error instanceof SyntaxError) return new ClickHouseFault('ends', `${url} is not ClickHouse.`, error);
    const code = property(error, 'code');
    // Waiting does not fix certificates and settings of TLS.
    const ofTls = tlsFault(error, `ClickHouse at ${url}`, trustedHere);
    if (ofTls !== null) return new ClickHouseFault('ends', ofTls, error);
    const because = code ?? (/timeout/i.test(words) ? 'no answer in time' : 'no answer');
    return new ClickHouseFault('waits', `ClickHouse at ${url} does not answer: ${because}.`, error);
  }
  // A write that fails on a full disk has the code of the failed operation; only its message says why.
  const known = /No space left on device/i.test(words) ? waits.NOT_ENOUGH_SPACE : (ends[type] ?? waits[type]);
  const reason = known ?? `${visibleLine(words.trim().slice(0, 200))} (${visibleLine(type)})`;
  return new ClickHouseFault(type in ends ? 'ends' : 'waits', `ClickHouse at ${url} refuses: ${reason}.`, error);
}

function property(error: unknown, name: 'type' | 'code'): string | null {
  const value = error instanceof Error && name in error ? (error as unknown as Record<string, unknown>)[name] : null;
  return typeof value === 'string' && value !== '' ? value : null;
}
