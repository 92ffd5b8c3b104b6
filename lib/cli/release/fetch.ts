import { resolve } from 'node:path';
import { bringRelease } from '#lib/release/index.ts';
import { shellWord } from '#lib/text/index.ts';
import type { Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { wantedFiles } from './open-files.ts';

/** Writes the files of a release into a folder, for machines without a network. */
export async function fetchRelease(invocation: Invocation, version: string): Promise<number> {
  const { flags, terminal } = invocation;
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const folder = resolve(flags.text('to') ?? '.');
  const { wanted, options } = await wantedFiles(invocation, version);
  const files = await bringRelease({ ...wanted, manifest: flags.text('manifest') }, folder, options);
  if (format !== 'table')
    writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'ReleaseFiles', folder, files });
  else {
    terminal.out(files.join('\n'));
    terminal.err(`Where there is no network, bring the folder along and name it: --source ${shellWord(folder)}`);
  }
  return exit.fine;
}
