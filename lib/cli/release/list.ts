import { filesOf, releases } from '#lib/release/index.ts';
import { testedWithOf, versionAdvice } from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { exit } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns } from '../terminal/terminal.ts';
import { kubernetesFromFlag } from './release-flags.ts';
import { testedSentence } from './show.ts';

/** Prints the releases that can be installed, newest first. */
export async function listReleases({ flags, terminal }: Invocation): Promise<number> {
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const kubernetesVersion = kubernetesFromFlag(flags);
  const rows = releases.map((row) => {
    const { standing, because, newest, kubernetes } = versionAdvice(row.version, kubernetesVersion);
    const advice = { standing, because, newest, kubernetes };
    return { ...row, testedWith: testedWithOf(row.version), files: filesOf(row.version).length, advice };
  });
  if (format !== 'table')
    writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Releases', releases: rows });
  else
    terminal.out(
      columns([
        ['VERSION', 'OPERATOR', 'TESTED WITH', 'PINNED', 'STANDING'],
        ...rows.map((row) => [
          row.version,
          row.operator,
          testedSentence(row.testedWith),
          row.files === 0 ? '' : `${row.files}`,
          standingWords[row.advice.standing],
        ]),
      ]),
    );
  return exit.fine;
}

const standingWords = {
  proposed: 'proposed',
  described: "the specification's",
  usable: '',
  older: 'a later one is better',
  unknown: 'not known',
} as const;
