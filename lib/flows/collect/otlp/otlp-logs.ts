import { Agent, request } from 'undici';
import { z } from 'zod';
import { visibleLine } from '#lib/text/index.ts';
import { type Collected, type Sink, SinkError } from '../collected.ts';
import { attributes, logRecord } from './log-record.ts';

export type OtlpOptions = {
  /** The address for logs, from `otlpAddress`. */
  address: URL;
  headers: Readonly<Record<string, string>>;
  /** Attributes of the cluster, which identify it in each request. */
  resource: Readonly<Record<string, string | null>>;
  version: string;
  /** Seconds since the epoch. */
  now(): number;
};

const answersWithinMs = 10_000;
const mostRetryMs = 300_000;
const longestAnswer = 65_536;

/** The address for logs, from that of a collector or of its logs. Throws a sentence if it is none. */
export function otlpAddress(text: string): URL {
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new Error(`${JSON.stringify(text)} is not an address; write http://HOST:4318 or https://HOST:4318`);
  if (address.username !== '' || address.password !== '')
    throw new Error('a password stands in the address; give it in OTEL_EXPORTER_OTLP_HEADERS');
  if (!address.pathname.endsWith('/v1/logs')) address.pathname = `${address.pathname.replace(/\/+$/, '')}/v1/logs`;
  return address;
}

/** Sends log records over OTLP/HTTP as JSON. Follows no redirect, which could lead credentials elsewhere. */
export function otlpLogs({ address, headers, resource, version, now }: OtlpOptions): Sink {
  const agent = new Agent({ connect: { timeout: answersWithinMs } });
  const where = `${address.origin}${address.pathname}`;

  const send = async (batch: readonly Collected[]): Promise<{ refused: number; because: string }> => {
    const body = JSON.stringify({
      resourceLogs: [
        {
          resource: { attributes: attributes({ 'service.name': 'signalbox', ...resource }) },
          scopeLogs: [
            {
              scope: { name: 'signalbox.flows', version },
              logRecords: batch.map((record) => logRecord(record, now())),
            },
          ],
        },
      ],
    });
    const { status, retryInMs, text } = await post(body);
    if (status >= 200 && status < 300) return partly(text);
    const answered = `${where} answers ${status}${text.trim() === '' ? '' : `: ${visibleLine(text.trim().slice(0, 200))}`}`;
    if (status === 413 && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      const [one, other] = [await send(batch.slice(0, half)), await send(batch.slice(half))];
      return { refused: one.refused + other.refused, because: one.because || other.because };
    }
    if (status === 400 || status === 413 || status === 422) return { refused: batch.length, because: answered };
    if (status === 408 || status === 429 || status >= 500) throw new SinkError('waits', `${answered}.`, { retryInMs });
    throw new SinkError('ends', `${answered}. Check the address and OTEL_EXPORTER_OTLP_HEADERS.`);
  };

  const post = async (body: string) => {
    try {
      const answer = await request(address, {
        method: 'POST',
        dispatcher: agent,
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        headersTimeout: answersWithinMs,
        bodyTimeout: answersWithinMs,
      });
      const after = Number(answer.headers['retry-after']);
      return {
        status: answer.statusCode,
        retryInMs: after > 0 ? Math.min(mostRetryMs, after * 1000) : null,
        text: await begin(answer.body),
      };
    } catch (error) {
      const code =
        error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no answer';
      throw new SinkError('waits', `${where} does not answer: ${code}.`, { cause: error });
    }
  };

  return { take: (batch) => send(batch), close: () => agent.destroy() };
}

async function begin(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size > longestAnswer) break;
  }
  return Buffer.concat(parts).toString('utf8');
}

const answer = z.object({
  partialSuccess: z
    .object({ rejectedLogRecords: z.coerce.number().int().nonnegative().catch(0), errorMessage: z.string().catch('') })
    .optional(),
});

/** The number of refused records in an answer; an answer of another shape counts as 0. */
function partly(text: string): { refused: number; because: string } {
  try {
    const { partialSuccess } = answer.parse(JSON.parse(text));
    const because = visibleLine((partialSuccess?.errorMessage ?? '').slice(0, 200));
    return { refused: partialSuccess?.rejectedLogRecords ?? 0, because };
  } catch {
    return { refused: 0, because: '' };
  }
}
