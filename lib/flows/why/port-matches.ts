import type { Answer } from './answer.ts';
import type { Traffic } from './traffic.ts';

/** Whether a policy's port matches: a number, `8080`, `8000:8100`, or the name that the destination pod gives to a port. */
export function portMatches(port: unknown, { to, port: dialled, protocol }: Traffic): Answer {
  if (typeof port === 'number') return port === dialled;
  if (typeof port !== 'string') return { unknown: 'its port is neither a number nor a name' };
  const [, first, last] = /^(\d+)(?::(\d+))?$/.exec(port) ?? [];
  if (first !== undefined) return Number(first) <= dialled && dialled <= Number(last ?? first);
  return to.ports.some((one) => one.name === port && one.port === dialled && one.protocol === protocol);
}
