import type { Socket } from 'node:net';
import { z } from 'zod';
import { dialConsole } from './instance/instance-path.ts';
import {
  applyReplySchema,
  flowsReplySchema,
  linkReplySchema,
  longestLineBytes,
  type Question,
  type Replies,
  statusReplySchema,
  trafficReplySchema,
} from './instance/instance-protocol.ts';

/** Time limits of the questions, in ms. A plan is answered once its run has started, before which an abandoned Lease is watched for 15 s. */
const patienceMs = { link: 5_000, status: 5_000, apply: 60_000, flows: 30_000, traffic: 30_000 } as const;

/** `console.missing`: no console runs with this state folder; `console.silent`: it does not answer. */
export type NoConsole = { ok: false; code: 'console.missing' | 'console.silent'; message: string };

const replySchemas = {
  link: linkReplySchema,
  status: statusReplySchema,
  apply: applyReplySchema,
  flows: flowsReplySchema,
  traffic: trafficReplySchema,
};

/** Asks the console that runs with this state folder. Connects only to a socket in that folder. */
export async function askConsole<Q extends Question>(
  folder: string,
  question: Q,
): Promise<Replies[Q['ask']] | NoConsole>;
export async function askConsole(folder: string, question: Question): Promise<Replies[Question['ask']] | NoConsole> {
  const line = await exchange(await dialConsole(folder), JSON.stringify(question), patienceMs[question.ask]);
  if (typeof line !== 'string') return line;
  const reply = z.union([replySchemas[question.ask], replySchemas.link]).safeParse(jsonOf(line));
  return reply.success ? reply.data : silent('it answers in the format of another release');
}

function exchange(socket: Socket, line: string, waitMs: number): Promise<string | NoConsole> {
  return new Promise((resolve) => {
    let text = '';
    const give = (answer: string | NoConsole) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(waitMs, () => give(silent('it says nothing')));
    socket.on('connect', () => socket.write(`${line}\n`));
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > longestLineBytes) give(silent('its answer was cut off'));
    });
    socket.on('end', () => give(text === '' ? silent('it closed the connection') : text.trim()));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      give(
        error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
          ? { ok: false, code: 'console.missing', message: 'No console runs here. `npm start` starts one.' }
          : silent(error.code ?? error.message),
      ),
    );
  });
}

function silent(why: string): NoConsole {
  return { ok: false, code: 'console.silent', message: `A console runs here but does not answer: ${why}.` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
