import { jsonText } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import type { Terminal } from './terminal.ts';

/** The format asked for, among those this command offers. */
export function formatOf<F extends string>(flags: Flags, formats: readonly F[]): F {
  const asked = flags.text('output') ?? formats[0];
  const found = formats.find((one) => one === asked);
  if (found === undefined) throw usageError(`-o: ${JSON.stringify(asked)} is not one of ${formats.join(', ')}`);
  return found;
}

/** Data as JSON or YAML; tables are the command's own. */
export function writeData(terminal: Terminal, format: 'json' | 'yaml', data: unknown): void {
  terminal.out(format === 'json' ? jsonText(data, 2) : yamlText(data));
}
