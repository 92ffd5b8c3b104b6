import { highestPort } from '#lib/base/network/ports.ts';
import { usageError } from './exit.ts';
import type { Flags } from './flags.ts';

/** The address of `--listen`, or else `usual`: a host, IPv6 in brackets, and a port. Throws a usage error that shows how to write it. */
export function listenFlag(flags: Flags, usual: string): { host: string; port: number } {
  const text = flags.text('listen') ?? usual;
  const [, inBrackets, plain, port] = /^(?:\[([0-9a-f:]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = inBrackets ?? plain;
  if (host === undefined || Number(port) > highestPort)
    throw usageError(`--listen: ${JSON.stringify(text)} is not a host and a port; write ${usual}`);
  return { host, port: Number(port) };
}
