import { jsonText } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import type { Terminal } from './terminal.ts';

/** The format from `flag`. Throws a usage error if this command does not have it. */
export function formatOf<F extends string>(flags: Flags, formats: readonly F[], flag = 'output'): F {
  const named = flags.text(flag) ?? formats[0];
  const found = formats.find((one) => one === named);
  const given = flag === 'output' ? '-o' : `--${flag}`;
  if (found === undefined) throw usageError(`${given}: ${JSON.stringify(named)} is not one of ${formats.join(', ')}`);
  return found;
}

/** Prints data as JSON or YAML; commands print tables themselves. */
export function writeData(terminal: Terminal, format: 'json' | 'yaml', data: unknown): void {
  terminal.out(format === 'json' ? jsonText(data, 2) : yamlText(data));
}
