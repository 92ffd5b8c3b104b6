import { KubeError } from '#lib/kube/index.ts';
import { dialConsole } from './instance-path.ts';
import { longestLineBytes, type SandboxQuestion, sandboxReplySchema } from './instance-protocol.ts';

/** `disconnected`: aborts when the console has closed the sandbox, or has ended. */
export type HeldSandbox = { kubeconfig: string; disconnected: AbortSignal; release(): void };

/** Time limit in ms; the console may have to open the sandbox first. */
const patienceMs = 15_000;

/**
 * Lets the console with this state folder serve a sandbox and keep it open until `release`, because only one process can have it open, and the console may
 * show it. Null if no console runs, or one of a release that cannot serve. Throws KubeError if the console cannot open the sandbox.
 */
export async function holdSandbox(folder: string, name: string): Promise<HeldSandbox | null> {
  const socket = await dialConsole(folder);
  const answered = Promise.withResolvers<string>();
  const closed = new AbortController();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (part: string) => {
    text += part;
    if (text.length > longestLineBytes) socket.destroy();
    if (text.includes('\n')) answered.resolve(text);
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    answered.resolve(text);
    closed.abort();
  });
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.once('connect', () => socket.write(`${JSON.stringify({ ask: 'sandbox', name } satisfies SandboxQuestion)}\n`));

  const reply = sandboxReplySchema.safeParse(jsonOf(await answered.promise)).data ?? null;
  if (reply?.ok) {
    socket.setTimeout(0);
    return { kubeconfig: reply.kubeconfig, disconnected: closed.signal, release: () => socket.destroy() };
  }
  socket.destroy();
  if (reply === null || reply.code === 'question.form') return null;
  throw new KubeError('conflict', reply.message);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
