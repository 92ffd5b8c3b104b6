import { promisify } from 'node:util';
import { gunzip, constants as zlib } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { KubeError } from '../../error.ts';
import type { ClusterAccess } from '../kubeconfig/access.ts';

type Response = Dispatcher.ResponseData;

const unzip = promisify(gunzip);

/** The whole body as text. Rejects with `protocol` if it is longer, also unzipped, or damaged. */
export async function readText(
  response: Response,
  limitBytes: number,
  { server, redactor }: Pick<ClusterAccess, 'server' | 'redactor'>,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limitBytes) throw new KubeError('protocol', `The answer of ${server.host} is too large.`);
  }
  const bytes = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
  if (response.headers['content-encoding'] !== 'gzip') return bytes.toString('utf8');
  try {
    return (await unzip(bytes, { maxOutputLength: limitBytes, finishFlush: zlib.Z_SYNC_FLUSH })).toString('utf8');
  } catch (error) {
    throw new KubeError(
      'protocol',
      `${server.host} sent a compressed answer that is damaged or too long.`,
      {},
      redactor.cause(error),
    );
  }
}

/** The header Content-Type; empty if there is none. */
export function contentType(response: Response): string {
  const value = response.headers['content-type'];
  return typeof value === 'string' ? value : '';
}

/** Retry-After in ms, of answers that mean *not done, try again*. API servers send only the form in seconds. */
export function retryAfter(response: Response): number | null {
  if (response.statusCode !== 429 && response.statusCode < 500) return null;
  const value = response.headers['retry-after'];
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}

export function isGood({ statusCode }: Response): boolean {
  return statusCode >= 200 && statusCode < 300;
}
