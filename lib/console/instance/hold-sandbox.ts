import { KubeError } from '#lib/kube/index.ts';
import { dialConsole } from './instance-path.ts';
import { longestLineBytes, type SandboxQuestion, sandboxReplySchema } from './instance-protocol.ts';

/** `gone`: aborts when the console has closed the sandbox, or has ended. */
export type HeldSandbox = { kubeconfig: string; gone: AbortSignal; release(): void };

/** A console that holds the sandbox opens it first, where nobody looks at it. */
const patienceMs = 15_000;

/**
 * Has the console that runs with this state folder serve a sandbox, and keep it open until `release`: one process at a time can have it, and the
 * console shows it meanwhile. Null where no console runs, or it is of a release that does not serve. Throws KubeError where it cannot open the sandbox.
 */
export async function holdSandbox(folder: string, name: string): Promise<HeldSandbox | null> {
  const socket = await dialConsole(folder);
  const answered = Promise.withResolvers<string>();
  const gone = new AbortController();
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
    gone.abort();
  });
  socket.setTimeout(patienceMs, () => socket.destroy());
  socket.once('connect', () => socket.write(`${JSON.stringify({ ask: 'sandbox', name } satisfies SandboxQuestion)}\n`));

  const reply = sandboxReplySchema.safeParse(jsonOf(await answered.promise)).data ?? null;
  if (reply?.ok) {
    socket.setTimeout(0);
    return { kubeconfig: reply.kubeconfig, gone: gone.signal, release: () => socket.destroy() };
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
