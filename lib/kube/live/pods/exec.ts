import type { WebSocket } from 'undici';
import { z } from 'zod';
import { resources } from '#lib/spec/index.ts';
import { KubeError } from '../../error.ts';
import { execChannel as channel, execProtocols } from '../../exec-channels.ts';
import type { CallOptions, ExecResult } from '../../port.ts';
import type { Connection } from '../connection.ts';
import { refusedByStatus } from '../status.ts';
import { objectPath } from '../target.ts';
import { deadline, endsOf } from '../wire/deadline.ts';
import { defaultTimeoutMs } from '../wire/sender.ts';
import { openSocket } from './open-socket.ts';

const outputLimitBytes = 16 * 1024 * 1024;

const exitSchema = z.object({
  status: z.string(),
  reason: z.string().nullish(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().nullish(), message: z.string().nullish() })).nullish() })
    .nullish(),
});

/**
 * Runs a command in a container, without input or terminal, over a WebSocket (Kubernetes 1.30 and later; SPDY is not spoken).
 * A command that exits with a code other than 0 is a result; one that could not be started is an error.
 *
 * The library's `Exec` has no time limit, does not report a lost connection, and throws an uncaught error if the status is not JSON (library.test.ts).
 */
export async function podExec(
  connection: Connection,
  pod: { namespace: string; name: string; container: string },
  command: readonly string[],
  options: CallOptions,
): Promise<ExecResult> {
  const { server } = connection.access;
  const query = new URLSearchParams({ container: pod.container, stdout: 'true', stderr: 'true' });
  for (const word of command) query.append('command', word);
  const path = `${objectPath(resources.pods, pod.namespace, pod.name, 'exec')}?${query}`;
  const rule = {
    verb: 'create',
    group: '',
    resource: 'pods',
    subresource: 'exec',
    namespace: pod.namespace,
    name: pod.name,
  };
  const limit = deadline(
    options.timeoutMs ?? defaultTimeoutMs,
    endsOf(`The command in ${pod.namespace}/${pod.name}`),
    options.signal,
    connection.closed,
  );
  try {
    const socket = await openSocket(connection, { path, rule }, [...execProtocols], limit.signal);
    return await collect(socket, limit.signal, (status) => {
      const { redactor } = connection.access;
      return refusedByStatus({ rule, path, host: server.host }, status, (text) => redactor.redact(text));
    });
  } finally {
    limit.dispose();
  }
}

function collect(socket: WebSocket, signal: AbortSignal, refused: (status: unknown) => KubeError): Promise<ExecResult> {
  const output: Record<number, Buffer[]> = { [channel.stdout]: [], [channel.stderr]: [] };
  let size = 0;
  let exit: unknown = null;
  const text = (number: number) => Buffer.concat(output[number] ?? []).toString('utf8');

  return new Promise((resolve, reject) => {
    const stop = (error: unknown) => {
      reject(error);
      socket.close();
    };
    const onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });

    socket.addEventListener('message', ({ data }) => {
      const bytes = data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(String(data));
      const [number = -1] = bytes;
      const content = bytes.subarray(1);
      if (number === channel.status) exit = parseJson(content.toString('utf8'));
      size += content.length;
      if (size > outputLimitBytes) stop(new KubeError('protocol', 'The output of the command is too large.'));
      output[number]?.push(content);
    });
    socket.addEventListener('error', () => {
      reject(new KubeError('unreachable', 'The connection for the command could not be opened, or broke.'));
    });
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', onAbort);
      const exitCode = exitCodeOf(exit);
      if (exitCode !== null) return resolve({ stdout: text(channel.stdout), stderr: text(channel.stderr), exitCode });
      reject(exit === null ? new KubeError('protocol', 'The command ended without an exit code.') : refused(exit));
    });
  });
}

/** 0 for Success; the exit code of a command that failed; null if it was not started. */
function exitCodeOf(status: unknown): number | null {
  const parsed = exitSchema.safeParse(status);
  if (!parsed.success) return null;
  if (parsed.data.status === 'Success') return 0;
  const cause = parsed.data.details?.causes?.find(({ reason }) => reason === 'ExitCode');
  return cause && /^\d+$/.test(cause.message ?? '') ? Number(cause.message) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
