import { type IncomingMessage, request } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import type { DialResult } from '../../port.ts';

const mostBytes = 64 * 1024;

/**
 * Requests /readyz anonymously on a verified connection: no headers but Host and Connection, no client certificate, no second connection, no redirect.
 * `host` is the header's value. Null: no answer.
 */
export async function askReady(socket: TLSSocket, host: string, signal: AbortSignal): Promise<DialResult['ready']> {
  try {
    const response = await ask(socket, host, signal);
    const status = response.statusCode ?? 0;
    const text = await read(response).catch(() => '');
    const ok = status === 200;
    return {
      status,
      ok,
      failing: ok ? [] : failingParts(text),
      ...(isRefusal(status, text) ? { refusesStrangers: true as const } : {}),
    };
  } catch {
    return null;
  }
}

function ask(socket: TLSSocket, host: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(
      { createConnection: () => socket, method: 'GET', path: '/readyz?verbose', headers: { host }, signal },
      resolve,
    )
      .on('error', reject)
      .end();
  });
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > mostBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `[-]etcd failed: reason withheld` → `etcd`: https://kubernetes.io/docs/reference/using-api/health-checks/ */
function failingParts(text: string): string[] {
  return [...text.matchAll(/^\[-\]([\w./-]{1,100}) failed/gm)].map(([, part = '']) => part).slice(0, 50);
}

const refusal = z.object({ kind: z.literal('Status'), apiVersion: z.literal('v1'), code: z.number() });

/**
 * An API server answers an anonymous request with 401 under `--anonymous-auth=false`, and with 403 without the role system:public-info-viewer, each with a
 * Status. A kubelet, whose certificate may be of the same authority, answers with the same codes in plain text.
 */
function isRefusal(status: number, text: string): boolean {
  if (status !== 401 && status !== 403) return false;
  try {
    return refusal.parse(JSON.parse(text)).code === status;
  } catch {
    return false;
  }
}
