import type { Duplex } from 'node:stream';
import { contentPolicy, fixedHeaders, newNonce } from './security-headers.ts';

/** By the code of the error; what Node itself would answer. */
const statusOf: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What Node cannot read as a request, or waits for in vain, is answered with the headers of every answer, which Node leaves out, and nothing else. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Nothing may be written into an answer that is on its way.
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
