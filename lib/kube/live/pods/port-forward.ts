import { Duplex } from 'node:stream';
import type { WebSocket } from 'undici';
import { resources } from '#lib/spec/index.ts';
import { KubeError } from '../../error.ts';
import type { CallOptions } from '../../port.ts';
import type { Connection } from '../connection.ts';
import { objectPath, withQuery } from '../target.ts';
import { deadline, endsOf } from '../wire/deadline.ts';
import { defaultTimeoutMs } from '../wire/sender.ts';
import { openSocket } from './open-socket.ts';

/** Channel 0 carries data, channel 1 errors; the first two bytes of each are the port. */
const protocols = ['v4.channel.k8s.io'];
const portBytes = 2;
/** A WebSocket has no flow control, so a reader that falls this far behind is disconnected. */
const unreadLimitBytes = 16 * 1024 * 1024;
const unsentLimitBytes = 1024 * 1024;
const unsentLookMs = 10;

/**
 * A connection to a port of a pod, through the API server and the pod's kubelet. `timeoutMs` limits its opening, `signal` ends it. The protocol has
 * no half-close: ending the stream ends both directions. Errors of the stream are KubeErrors.
 *
 * The library's `PortForward` has no time limit, reports neither errors nor the end of the connection, and never waits for a slow reader or writer.
 */
export async function portForward(
  connection: Connection,
  pod: { namespace: string; name: string; port: number },
  options: CallOptions,
): Promise<Duplex> {
  const what = `The connection to port ${pod.port} of ${pod.namespace}/${pod.name}`;
  const path = withQuery(objectPath(resources.pods, pod.namespace, pod.name, 'portforward'), { ports: pod.port });
  const { namespace, name } = pod;
  const rule = { verb: 'create', group: '', resource: 'pods', subresource: 'portforward', namespace, name };
  const opening = deadline(options.timeoutMs ?? defaultTimeoutMs, endsOf(what), options.signal, connection.closed);
  const life = deadline(null, endsOf(what), options.signal, connection.closed);
  try {
    const socket = await openSocket(connection, { path, rule }, protocols, opening.signal);
    const stream = streamOf(socket, what, (text) => connection.access.redactor.redact(text));
    const onAbort = () => stream.destroy(life.signal.reason);
    life.signal.addEventListener('abort', onAbort, { once: true });
    stream.once('close', () => life.dispose());
    await opened(socket, opening.signal, what).catch((error: unknown) => {
      stream.on('error', () => {});
      stream.destroy();
      throw error;
    });
    return stream;
  } catch (error) {
    life.dispose();
    throw error;
  } finally {
    opening.dispose();
  }
}

function opened(socket: WebSocket, signal: AbortSignal, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('close', () => reject(new KubeError('unreachable', `${what} could not be opened.`)));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function streamOf(socket: WebSocket, what: string, redact: (text: string) => string): Duplex {
  const begun = new Set<number>();
  const stream = new Duplex({
    allowHalfOpen: false,
    read() {},
    write(chunk: Buffer, _encoding, done) {
      socket.send(Buffer.concat([Buffer.from([0]), chunk]));
      const sent = () => {
        if (socket.readyState === socket.OPEN && socket.bufferedAmount > unsentLimitBytes)
          setTimeout(sent, unsentLookMs);
        else done();
      };
      sent();
    },
    final(done) {
      socket.close();
      done();
    },
    destroy(error, done) {
      socket.close();
      done(error);
    },
  });
  socket.addEventListener('message', ({ data }) => {
    const bytes = data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(String(data));
    const [channel = -1] = bytes;
    const content = bytes.subarray(begun.has(channel) ? 1 : 1 + portBytes);
    begun.add(channel);
    if (content.length === 0) return;
    if (channel === 1) {
      const because = redact(content.toString('utf8').slice(0, 1000));
      stream.destroy(new KubeError('unreachable', `${what} broke: ${because}`));
    } else if (channel === 0) {
      stream.push(content);
      if (stream.readableLength > unreadLimitBytes)
        stream.destroy(new KubeError('protocol', `${what} sends faster than it is read.`));
    }
  });
  socket.addEventListener('error', () => stream.destroy(new KubeError('unreachable', `${what} broke.`)));
  socket.addEventListener('close', () => stream.push(null));
  return stream;
}
