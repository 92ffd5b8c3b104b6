import { parseArgs } from 'node:util';
import { messageOf } from '#lib/base/message-of.ts';
import { nearest } from '#lib/base/nearest.ts';
import { highestPort } from '#lib/base/network/ports.ts';
import { usageError } from './exit.ts';

/**
 * A flag. `value` names its argument; without it the flag is a switch. `many`: it may be repeated. `refusal`: the error with which a command that opens a
 * cluster ends if the flag is given; such a flag is listed to say why it is not possible. `unused`: taken because every command takes it, but of no effect
 * here, so that help does not list it.
 */
type Flag = { value?: string; many?: true; short?: string; help: string; refusal?: string; unused?: true };
export type FlagTable = Readonly<Record<string, Flag>>;

/** The flags that have an effect, by name: what help and completion list. */
export function usedFlags(table: FlagTable): [name: string, flag: Flag][] {
  return Object.entries(table).filter(([, { unused }]) => unused !== true);
}

/** The given flags. Of a repeated flag the last wins, unless it may be repeated. */
export type Flags = {
  /** What the command takes. */
  readonly table: FlagTable;
  text(name: string): string | undefined;
  list(name: string): string[];
  has(name: string): boolean;
};

/**
 * Splits arguments by the table. Throws a usage error for unknown flags, with the most similar one, and for flags without their value. `where`: how the
 * error says where an unknown flag stood.
 */
export function parseFlags(
  argv: readonly string[],
  table: FlagTable,
  where = 'of this command',
): { flags: Flags; args: string[] } {
  const options = Object.fromEntries(
    Object.entries(table).map(([name, flag]) => [
      name,
      {
        type: flag.value ? ('string' as const) : ('boolean' as const),
        multiple: true,
        ...(flag.short ? { short: flag.short } : {}),
      },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
  } catch (error) {
    throw usageError(explain(error, table, where), error);
  }
  const values = parsed.values as Record<string, (string | boolean)[] | undefined>;
  const texts = (name: string) => (values[name] ?? []).filter((value): value is string => typeof value === 'string');
  return {
    args: parsed.positionals,
    flags: { table, text: (name) => texts(name).at(-1), list: texts, has: (name) => values[name] !== undefined },
  };
}

function explain(error: unknown, table: FlagTable, where: string): string {
  const message = messageOf(error);
  const unknown = /Unknown option '(-{1,2}[^']+)'/.exec(message)?.[1];
  if (unknown) {
    const near = nearest(unknown.replace(/^-+/, ''), Object.keys(table));
    return `${unknown} is not a flag ${where}${near ? `; did you mean --${near}?` : ''}`;
  }
  const named = /(--[a-z][a-z-]*)/.exec(message)?.[1] ?? /'(-[a-z])/.exec(message)?.[1];
  if (named && /argument missing|ambiguous/.test(message))
    return `${named} needs a value${table[named.replace(/^-+/, '')]?.value ? ` (${table[named.replace(/^-+/, '')]?.value})` : ''}`;
  if (named && /does not take an argument/.test(message)) return `${named} takes no value`;
  return message;
}

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `30s`, `2m`, `500ms`, in milliseconds. */
export function parseDuration(flag: string, text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const ms = match ? Number(match[1]) * units[match[2] as keyof typeof units] : Number.NaN;
  if (!(ms > 0)) throw usageError(`--${flag}: ${JSON.stringify(text)} is not a duration; write 30s, 2m or 500ms`);
  return ms;
}

/** How long something is kept, in seconds, from hours or days. `examples`: what may be written. */
export function parseKeptFor(flag: string, text: string, examples: string): number {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unit === 'd' ? 86_400 : 3600);
  if (seconds > 0) return seconds;
  throw usageError(`--${flag}: ${JSON.stringify(text)} is not understood; write ${examples}`);
}

/** A port to listen on; 0 lets the system choose. `or`: what else may be written. */
export function parsePort(flag: string, text: string, or = ''): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= highestPort) return port;
  throw usageError(`--${flag}: ${JSON.stringify(text)} is not a port; write a number up to ${highestPort}${or}.`);
}
