import { once } from 'node:events';
import type { Socket } from 'node:net';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Call, callSchema, type Said, type SentError } from './calls.ts';
import { onLines } from './lines.ts';

/**
 * Lets the command line of the same user work on a cluster that only this process can have open: calls it makes over the socket are made here.
 * Resolves when it has left.
 */
export async function lend(socket: Socket, kube: Kube): Promise<void> {
  const under = new Map<number, AbortController>();
  const gone = new AbortController();
  const say = async (said: Said): Promise<void> => {
    if (gone.signal.aborted || socket.write(`${JSON.stringify(said, errorsAsData)}\n`)) return;
    await once(socket, 'drain', { signal: gone.signal }).catch(() => undefined);
  };
  onLines(socket, (value) => {
    const call = callSchema.parse(value);
    if (call.call === 'cancel') return under.get(call.id)?.abort();
    const stop = new AbortController();
    under.set(call.id, stop);
    void perform(kube, call, AbortSignal.any([stop.signal, gone.signal]), say).finally(() => under.delete(call.id));
  });
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  gone.abort(new Error('Whoever borrowed it has left.'));
}

async function perform(
  kube: Kube,
  call: Called,
  signal: AbortSignal,
  say: (said: Said) => Promise<void>,
): Promise<void> {
  const { id } = call;
  try {
    const answer = begin(kube, call, signal);
    if (answer instanceof Promise) return await say({ id, what: 'answer', value: (await answer) ?? null });
    for await (const value of answer) {
      await say({ id, what: 'item', value });
      if (signal.aborted) return;
    }
    await say({ id, what: 'end' });
  } catch (error) {
    await say({ id, what: 'error', error: sent(error) });
  }
}

type Called = Exclude<Call, { call: 'cancel' }>;

function begin(kube: Kube, call: Called, signal: AbortSignal): Promise<unknown> | AsyncIterable<unknown> {
  switch (call.call) {
    case 'get':
      return kube.get(call.args[0], { ...call.args[1], signal });
    case 'list':
      return kube.list(call.args[0], { ...call.args[1], signal });
    case 'listMetadata':
      return kube.listMetadata(call.args[0], { ...call.args[1], signal });
    case 'watch':
      return kube.watch(call.args[0], { ...call.args[1], signal });
    case 'create':
      return kube.create(call.args[0], call.args[1], { ...call.args[2], signal });
    case 'apply':
      return kube.apply(call.args[0], call.args[1], { ...call.args[2], signal });
    case 'replace':
      return kube.replace(call.args[0], call.args[1], { ...call.args[2], signal });
    case 'patch':
      return kube.patch(call.args[0], call.args[1], { ...call.args[2], signal });
    case 'delete':
      return kube.delete(call.args[0], { ...call.args[1], signal });
    case 'allowed':
      return kube.allowed(call.args[0], { ...call.args[1], signal });
    case 'discover':
      return kube.discover({ ...call.args[0], signal });
    case 'version':
      return kube.version({ ...call.args[0], signal });
    case 'logs':
      return kube.logs(call.args[0], { ...call.args[1], signal });
    case 'podGet':
      return kube.podGet(call.args[0], { ...call.args[1], signal });
    case 'exec':
      return kube.exec(call.args[0], call.args[1], { ...call.args[2], signal });
  }
}

function sent(error: unknown): SentError {
  if (isKubeError(error)) return { code: error.code, message: error.message, detail: error.detail };
  return { code: 'server', message: error instanceof Error ? error.message : String(error), detail: {} };
}

/** A watch that is interrupted tells why: JSON would leave nothing of an error. */
function errorsAsData(_key: string, value: unknown): unknown {
  return value instanceof Error ? sent(value) : value;
}
