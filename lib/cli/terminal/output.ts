import { jsonText } from '#lib/text/index.ts';
import { yamlText } from '#lib/text/yaml-text.ts';
import { usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';
import type { Terminal } from './terminal.ts';

/** The format asked for with `flag`, among those this command offers. */
export function formatOf<F extends string>(flags: Flags, formats: readonly F[], flag = 'output'): F {
  const asked = flags.text(flag) ?? formats[0];
  const found = formats.find((one) => one === asked);
  const given = flag === 'output' ? '-o' : `--${flag}`;
  if (found === undefined) throw usageError(`${given}: ${JSON.stringify(asked)} is not one of ${formats.join(', ')}`);
  return found;
}

/** Data as JSON or YAML; tables are the command's own. */
export function writeData(terminal: Terminal, format: 'json' | 'yaml', data: unknown): void {
  terminal.out(format === 'json' ? jsonText(data, 2) : yamlText(data));
}
