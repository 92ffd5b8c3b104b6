import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import { KubeError, type KubeObject } from '#lib/kube/index.ts';

/** The longest body of an API server (apiserver pkg/server/config.go › MaxRequestBodyBytes). */
const longestBytes = 3 * 1024 * 1024;

/** The body of a request: JSON, or YAML as in server-side apply; null without one. Throws `invalid`. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (/protobuf/.test(request.headers['content-type'] ?? ''))
    throw new KubeError(
      'invalid',
      'A sandbox reads JSON and YAML, not protobuf: write the object to a file, and `apply` it.',
      { status: 415 },
    );
  const parts: Buffer[] = [];
  let length = 0;
  // Not destroyed when it is too long, because the refusal goes out on the same connection.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    parts.push(part);
    length += part.length;
    if (length > longestBytes)
      throw new KubeError('invalid', `The request is longer than ${longestBytes} bytes.`, { status: 413 });
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    if (!/yaml/.test(request.headers['content-type'] ?? '')) throw unreadable('JSON');
  }
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    throw unreadable('YAML');
  }
}

/** Throws `invalid` if apiVersion, kind or metadata are missing or wrong. */
export function objectIn(body: unknown): KubeObject {
  if (isFields(body) && typeof body.apiVersion === 'string' && typeof body.kind === 'string') {
    const { metadata = {} } = body;
    if (isFields(metadata)) return { ...body, apiVersion: body.apiVersion, kind: body.kind, metadata };
  }
  throw new KubeError('invalid', 'The body is not a Kubernetes object.', { status: 400 });
}

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(format: string): KubeError {
  return new KubeError('invalid', `The body is not ${format}.`, { status: 400 });
}
