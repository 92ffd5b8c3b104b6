import { createServer, type Server } from 'node:http';

/** Another program of this machine that serves pages, at both loopback addresses on one port, whatever the Host. */
export type HostileServer = { port: number; close(): Promise<void> };

const html = '<!doctype html><title>hostile</title><link rel="icon" href="data:,"><body>hello</body>';

export async function hostileServer(): Promise<HostileServer> {
  const ipv4 = aServer();
  const ipv6 = aServer();
  await new Promise<void>((done) => ipv4.listen(0, '127.0.0.1', done));
  const bound = ipv4.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  // Without IPv6 on this machine, the attack by IPv6 is left out.
  await new Promise<void>((done) => ipv6.once('error', () => done()).listen(port, '::1', done));
  return {
    port,
    close: async () => {
      for (const server of [ipv4, ipv6]) {
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      }
    },
  };
}

function aServer(): Server {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Service-Worker-Allowed': '/' };
  return createServer((_, response) => response.writeHead(200, headers).end(html));
}
