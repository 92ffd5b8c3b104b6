import { verifyRelease } from '#lib/release/index.ts';
import type { Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, wrap } from '../terminal/terminal.ts';
import { openFiles } from './open-files.ts';

const words = {
  pinned: 'as published',
  recorded: 'as first used here',
  other: 'ANOTHER FILE',
  unknown: 'nothing to compare it with',
} as const;

/** Checks that the files of a source are complete and the published ones. Exit code 3 if one differs. */
export async function verifyFiles(invocation: Invocation, version: string): Promise<number> {
  const { flags, terminal, env } = invocation;
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const release = await openFiles(invocation, version);
  const files = await verifyRelease(release, env);
  const others = files.filter(({ standing }) => standing === 'other');
  if (format !== 'table') {
    const { version: of, operator, source } = release;
    writeData(terminal, format, {
      apiVersion: 'signalbox.dev/v1',
      kind: 'ReleaseVerification',
      ...{ version: of, operator, source, files },
    });
  } else {
    terminal.out(`${release.version}, operator ${release.operator}, from ${release.source}\n`);
    terminal.out(
      columns([
        ['FILE', 'OBJECTS', 'IT IS', 'SHA256'],
        ...files.map((one) => [one.file, `${one.objects}`, words[one.standing], one.sha256]),
      ]),
    );
    for (const { file, expected } of others)
      terminal.out(
        `\n${wrap(`${file} is whole, and not the file that is known: ${expected} was expected. If nobody of yours edited it, do not use it.`, terminal.columns)}`,
      );
  }
  return others.length > 0 ? exit.blocked : exit.fine;
}
