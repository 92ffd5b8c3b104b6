import type { Socket } from 'node:net';
import { longestLineBytes } from '../instance/instance-protocol.ts';

/** Calls `take` with each line of JSON that comes in; what is no JSON, or has no end, ends the connection. */
export function onLines(socket: Socket, take: (value: unknown) => void): void {
  let parts: string[] = [];
  let length = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const [first = '', ...rest] = text.split('\n');
    parts.push(first);
    length += first.length;
    for (const next of rest) {
      const line = parts.join('');
      parts = [next];
      length = next.length;
      try {
        take(JSON.parse(line));
      } catch {
        socket.destroy();
        return;
      }
    }
    if (length > longestLineBytes) socket.destroy();
  });
}
