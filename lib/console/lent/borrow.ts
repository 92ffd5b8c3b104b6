import type { Socket } from 'node:net';
import { z } from 'zod';
import { type CallOptions, type Kube, KubeError, type WatchEvent } from '#lib/kube/index.ts';
import { dialConsole } from '../instance/instance-path.ts';
import type { SandboxQuestion } from '../instance/instance-protocol.ts';
import { type Call, type Said, type SentError, saidSchema } from './calls.ts';
import { onLines } from './lines.ts';

/** `gone`: aborts when the console that lent it has ended. */
export type Borrowed = { kube: Kube; gone: AbortSignal; close(): Promise<void> };

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
]);
/** A console that holds the sandbox opens it first, where nobody looks at it. */
const patienceMs = 15_000;

/**
 * A kept sandbox, through the console that runs with this state folder: one process at a time can have it, and the console shows it meanwhile. Null
 * where no console runs, or it is of a release that does not lend. Throws KubeError where it cannot open the sandbox.
 */
export async function borrowSandbox(folder: string, name: string): Promise<Borrowed | null> {
  const socket = await dialConsole(folder);
  const answered = Promise.withResolvers<unknown>();
  const waiting = new Map<number, (said: Said) => void>();
  const gone = new AbortController();
  let lent = false;
  onLines(socket, (value) => {
    if (!lent) return answered.resolve(value);
    const said = saidSchema.parse(value);
    waiting.get(said.id)?.(said);
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    answered.resolve(null);
    gone.abort();
    for (const [id, tell] of [...waiting]) tell({ id, what: 'error', error: endedError });
  });
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.once('connect', () => socket.write(`${JSON.stringify({ ask: 'sandbox', name } satisfies SandboxQuestion)}\n`));

  const reply = replySchema.safeParse(await answered.promise);
  if (!reply.success || !reply.data.ok) {
    socket.destroy();
    if (!reply.success || reply.data.ok || reply.data.code === 'question.form') return null;
    throw new KubeError('conflict', reply.data.message);
  }
  lent = true;
  socket.setTimeout(0);
  const close = async () => {
    socket.destroy();
  };
  return { kube: kubeOver(socket, name, waiting, gone.signal, close), gone: gone.signal, close };
}

/** Not `unreachable`: that is waited for, and this console does not come back on this connection. */
const endedError: SentError = {
  code: 'credentials',
  message: 'The console that had this sandbox open has ended. Ask again: the sandbox is as it was left.',
  detail: {},
};

function kubeOver(
  socket: Socket,
  name: string,
  waiting: Map<number, (said: Said) => void>,
  gone: AbortSignal,
  close: () => Promise<void>,
): Kube {
  let last = 0;

  /** Sends a call and hands on what is said about it, until `forget`. */
  const send = (
    call: Call['call'],
    args: readonly unknown[],
    signal: AbortSignal | undefined,
    tell: (said: Said) => void,
  ) => {
    const id = ++last;
    const cancel = () => {
      socket.write(`${JSON.stringify({ id, call: 'cancel', args: [] })}\n`);
      tell({ id, what: 'error', error: { code: 'aborted', message: 'The call was cancelled.', detail: {} } });
    };
    waiting.set(id, tell);
    if (gone.aborted) tell({ id, what: 'error', error: endedError });
    else if (signal?.aborted) cancel();
    else {
      signal?.addEventListener('abort', cancel, { once: true });
      socket.write(`${JSON.stringify({ id, call, args })}\n`);
    }
    return {
      cancel,
      forget: () => {
        waiting.delete(id);
        signal?.removeEventListener('abort', cancel);
      },
    };
  };

  // What the store answered is not parsed again: it was made by this same program.
  const once = <T>(call: Call['call'], args: readonly unknown[], options: CallOptions = {}): Promise<T> => {
    const { signal, ...rest } = options;
    const answer = Promise.withResolvers<T>();
    const { forget } = send(call, [...args, rest], signal, (said) => {
      if (said.what === 'answer') answer.resolve(z.custom<T>().parse(said.value));
      else if (said.what === 'error') answer.reject(errorOf(said.error));
    });
    return answer.promise.finally(forget);
  };

  async function* many<T>(call: Call['call'], args: readonly unknown[], options: CallOptions = {}): AsyncGenerator<T> {
    const { signal, ...rest } = options;
    const said: Said[] = [];
    let wake = () => {};
    const { cancel, forget } = send(call, [...args, rest], signal, (one) => {
      said.push(one);
      wake();
    });
    let over = false;
    try {
      for (;;) {
        for (let one = said.shift(); one; one = said.shift()) {
          over = one.what !== 'item';
          if (one.what === 'error') throw errorOf(one.error);
          if (one.what !== 'item') return;
          yield z.custom<T>().parse(one.value);
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (said.length > 0) resolve();
        });
      }
    } finally {
      forget();
      if (!over && !gone.aborted) cancel();
    }
  }

  async function* watch(...[resource, options]: Parameters<Kube['watch']>): AsyncGenerator<WatchEvent> {
    try {
      for await (const event of many<WatchEvent>('watch', [resource], options))
        yield event.type === 'interrupted' ? { ...event, because: errorOf(event.because) } : event;
    } catch (error) {
      // A watch whose signal aborts ends.
      if (!options?.signal?.aborted) throw error;
    }
  }

  return {
    name,
    source: 'sandbox',
    get: (ref, options) => once('get', [ref], options),
    list: (resource, options) => many('list', [resource], options),
    listMetadata: (resource, options) => many('listMetadata', [resource], options),
    watch,
    create: (resource, object, options) => once('create', [resource, object], options),
    apply: (resource, object, options) => once('apply', [resource, object], options),
    replace: (resource, object, options) => once('replace', [resource, object], options),
    patch: (ref, patch, options) => once('patch', [ref, patch], options),
    delete: (ref, options) => once('delete', [ref], options),
    allowed: (rules, options) => once('allowed', [rules], options),
    discover: (options) => once('discover', [], options),
    version: (options) => once('version', [], options),
    logs: (pod, options) => once('logs', [pod], options),
    podGet: (pod, options) => once('podGet', [pod], options),
    exec: (pod, command, options) => once('exec', [pod, command], options),
    close,
  };
}

function errorOf({ code, message, detail }: SentError): KubeError {
  return new KubeError(code, message, detail);
}
