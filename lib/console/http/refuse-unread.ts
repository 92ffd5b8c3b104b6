import type { Duplex } from 'node:stream';
import { contentPolicy, fixedHeaders, newNonce } from './security-headers.ts';

/** The status by the error's code, as Node answers itself. */
const statusOf: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers a request that Node could not parse or did not receive in time. Unlike Node's own answer, it has the security headers; it has no body. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // An answer that has started must not be continued with another.
  const hasAnswered = 'bytesWritten' in socket && Number(socket.bytesWritten) > 0;
  if (!socket.writable || hasAnswered || error.code === 'ECONNRESET') return void socket.destroy();
  const headers = {
    ...fixedHeaders,
    'Content-Security-Policy': contentPolicy(newNonce()),
    'Cache-Control': 'no-store',
    'Content-Length': '0',
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${statusOf[error.code ?? ''] ?? '400 Bad Request'}`, ...lines, '', ''].join('\r\n'));
}
