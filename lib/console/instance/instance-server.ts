import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf } from '#lib/base/message-of.ts';
import type { HostAnswer } from '../host.ts';
import { removeSocket, socketPath } from './instance-path.ts';
import {
  longestLineBytes,
  type Question,
  questionSchema,
  type Replies,
  sandboxQuestionSchema,
} from './instance-protocol.ts';

const patienceMs = 10_000;

export type Answers = {
  [Ask in Question['ask']]: (question: Extract<Question, { ask: Ask }>) => Promise<Replies[Ask]>;
};

/** Opens and serves a sandbox until `release`. `closed` aborts if it is closed before. */
export type ServeSandbox = (
  name: string,
) => Promise<HostAnswer<{ kubeconfig: string; closed: AbortSignal; release(): void }>>;

/** Listens in the state folder for the command line of the same user. Call it only with the folder's lock held. */
export async function answerIn(folder: string, answers: Answers, serveSandbox: ServeSandbox): Promise<Server> {
  await removeSocket(folder);
  const { path, close } = await socketPath(folder);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.setTimeout(patienceMs, () => socket.destroy());
    readLine(socket, (line) => {
      socket.setTimeout(0);
      const wanted = sandboxQuestionSchema.safeParse(jsonOf(line));
      if (wanted.success) void serveTo(socket, wanted.data.name, serveSandbox);
      else void reply(line, answers).then((text) => socket.end(`${text}\n`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
  await chmod(path, 0o600);
  server.once('close', () => void close());
  return server;
}

function readLine(socket: Socket, then: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  const take = (part: string) => {
    text += part;
    if (text.length > longestLineBytes) socket.destroy();
    const end = text.indexOf('\n');
    if (end < 0) return;
    socket.off('data', take);
    then(text.slice(0, end));
  };
  socket.on('data', take);
}

async function serveTo(socket: Socket, name: string, serveSandbox: ServeSandbox): Promise<void> {
  const left = new Promise((resolve) => socket.once('close', resolve));
  try {
    const answer = await serveSandbox(name);
    if (!answer.ok) {
      socket.end(`${failure(answer.code, answer.message)}\n`);
      return;
    }
    const { kubeconfig, closed, release } = answer.value;
    try {
      // No further request is expected; a command line of an earlier release would send one.
      socket.on('data', () => socket.destroy());
      closed.addEventListener('abort', () => socket.destroy());
      if (closed.aborted) socket.destroy();
      socket.write(`${JSON.stringify({ ok: true, kubeconfig })}\n`);
      if (!socket.destroyed) await left;
    } finally {
      release();
    }
  } catch (error) {
    socket.end(`${failure('fault', messageOf(error))}\n`);
  }
}

async function reply(line: string, answers: Answers): Promise<string> {
  try {
    const question = questionSchema.safeParse(JSON.parse(line));
    if (!question.success)
      return failure('question.form', 'The running console does not know this request; it may be another release.');
    return JSON.stringify(await put(question.data, answers));
  } catch (error) {
    return failure('fault', messageOf(error));
  }
}

function put(question: Question, answers: Answers): Promise<Replies[Question['ask']]> {
  switch (question.ask) {
    case 'link':
      return answers.link(question);
    case 'status':
      return answers.status(question);
    case 'apply':
      return answers.apply(question);
    case 'flows':
      return answers.flows(question);
    case 'traffic':
      return answers.traffic(question);
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function failure(code: string, message: string): string {
  return JSON.stringify({ ok: false, code, message });
}
