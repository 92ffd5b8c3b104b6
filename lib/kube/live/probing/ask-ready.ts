import { isIP } from 'node:net';
import { Client } from 'undici';
import type { Dialled } from '../../port.ts';
import type { Connection } from '../connection.ts';

const mostBytes = 64 * 1024;

/**
 * A new connection to the address that answered, which refuses any certificate that does not verify before it sends a byte; then this cluster's
 * credentials, whatever `insecure-skip-tls-verify` says, and never through a proxy: nodes have none.
 */
export async function askReady(
  connection: Connection,
  { host, address, port }: { host: string; address: string; port: number },
  signal: AbortSignal,
  limitMs: number,
): Promise<Dialled['ready']> {
  const { access } = connection;
  const { headers, certificate } = await connection.upgrade();
  const client = new Client(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`, {
    allowH2: false,
    maxResponseSize: mostBytes,
    connect: {
      timeout: limitMs,
      ...(access.authorities === null ? {} : { ca: access.authorities }),
      ...(certificate ? { cert: certificate.cert, key: certificate.key.reveal() } : {}),
      rejectUnauthorized: true,
      lookup: (_name, { all }, done) => {
        const family = isIP(address);
        if (all) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    },
  });
  try {
    const { statusCode, body } = await client.request({ path: '/readyz?verbose', method: 'GET', headers, signal });
    const text = await body.text().catch(() => '');
    return { status: statusCode, ok: statusCode === 200, failing: statusCode === 200 ? [] : failingParts(text) };
  } catch {
    return null;
  } finally {
    void client.destroy();
  }
}

/** `[-]etcd failed: reason withheld` → `etcd`: https://kubernetes.io/docs/reference/using-api/health-checks/ */
function failingParts(text: string): string[] {
  return [...text.matchAll(/^\[-\]([\w./-]{1,100}) failed/gm)].map(([, part = '']) => part).slice(0, 50);
}
