import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { calicoFile } from '#e2e/controlplane/index.ts';

/** A mirror of Calico's releases on this machine, whose cable can be pulled in the middle of a file. */
export type Mirror = {
  readonly url: string;
  /** From now on this file stops after its first half, until `plug`. */
  pull(file: string): void;
  /** From now on this file is not answered, until `plug`. */
  hold(file: string): void;
  plug(): void;
  /** The `Range` of every request since the start; null for a request of the whole file. */
  readonly requests: readonly { readonly file: string; readonly range: string | null }[];
  close(): Promise<void>;
};

/** Serves the published files as `<url>/<version>/manifests/<file>`, as they lie at the public address, with ranges (RFC 9110 §14). */
export async function aMirror(): Promise<Mirror> {
  const requests: { file: string; range: string | null }[] = [];
  const sockets = new Set<Socket>();
  let pulled: string | null = null;
  let held: { file: string; answer: (() => void)[] } | null = null;
  const server = createServer(async (request, response) => {
    const [, version, file] = /^\/(v[\d.]+)\/manifests\/([\w.-]+)$/.exec(request.url ?? '') ?? [];
    const text = version && file ? await calicoFile(version, file).catch(() => null) : null;
    const bytes = text === null ? null : Buffer.from(text);
    if (bytes === null || file === undefined) return void response.writeHead(404).end();
    requests.push({ file, range: request.headers.range ?? null });
    const now = () => answer(request, response, bytes, pulled === file);
    if (held?.file === file) held.answer.push(now);
    else now();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pull: (file) => {
      pulled = file;
    },
    hold: (file) => {
      held = { file, answer: [] };
    },
    plug: () => {
      pulled = null;
      for (const now of held?.answer ?? []) now();
      held = null;
    },
    requests,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, bytes: Buffer, isPulled: boolean): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const etag = `"${bytes.length}"`;
  const rest = bytes.subarray(from);
  response.writeHead(from === 0 ? 200 : 206, {
    ETag: etag,
    'Content-Length': rest.length,
    'Accept-Ranges': 'bytes',
    ...(from === 0 ? {} : { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (!isPulled) return void response.end(rest);
  // A break brings something only the first time: afterwards the way is closed for good until it is plugged.
  response.write(from === 0 ? rest.subarray(0, Math.ceil(rest.length / 2)) : Buffer.alloc(0), () =>
    setTimeout(() => response.destroy(), 50),
  );
}
