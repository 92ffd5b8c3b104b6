import { checksumOf, filesOf, findRelease, releaseAddress, releases } from '#lib/release/index.ts';
import { gatesOfRelease, testedWithOf } from '#lib/spec/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../output.ts';
import { columns, wrap } from '../terminal.ts';

export const release: Command = {
  name: 'release',
  arguments: 'list | show VERSION',
  summary: 'Calico releases: which are known, and what is known of one. Nothing is dialled.',
  flags: outputFlags,
  async run({ args, flags, terminal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
    const [what, version, ...more] = args;
    if (what === 'list' && version === undefined) {
      const rows = releases.map((row) => ({ ...row, ...tests(row.version), files: filesOf(row.version).length }));
      if (format !== 'table') writeData(terminal, format, { ...header('Releases'), releases: rows });
      else
        terminal.out(
          columns([
            ['VERSION', 'OPERATOR', 'TESTED WITH', 'PINNED FILES'],
            ...rows.map((row) => [
              row.version,
              row.operator,
              sentence(row.testedWith),
              row.files === 0 ? '' : `${row.files}`,
            ]),
          ]),
        );
      return exit.fine;
    }
    if (what === 'show' && version !== undefined && more.length === 0) {
      const found = describe(version);
      if (format !== 'table') writeData(terminal, format, { ...header('Release'), ...found });
      else terminal.out(asText(found, terminal.columns));
      return exit.fine;
    }
    throw usageError('release: `list`, or `show VERSION`');
  },
};

const header = (kind: string) => ({ apiVersion: 'signalbox.dev/v1', kind });
const tests = (version: string) => ({ testedWith: testedWithOf(version) });

function describe(text: string) {
  const found = findRelease(text);
  if (!found) {
    const known = releases.map(({ version }) => version).join(', ');
    throw usageError(`VERSION: nothing is known of ${JSON.stringify(text)}; known are ${known}`);
  }
  const { version } = found;
  return {
    ...found,
    ...tests(version),
    gates: gatesOfRelease(version),
    files: filesOf(version).map((name) => ({
      name,
      address: releaseAddress(version, name),
      sha256: checksumOf(version, name),
    })),
  };
}

function asText(found: ReturnType<typeof describe>, width: number): string {
  const known = found.gates.map(({ id, action, condition, advice }) =>
    [`  ${id}  ${action}`, wrap(condition, width, '      '), wrap(advice, width, '      ')].join('\n'),
  );
  return [
    columns([
      ['Release:', found.version],
      ['Operator:', found.operator],
      ...(found.installs ? [['Installs:', `${found.installs}, which its manifests still name`]] : []),
      ['Tested with:', sentence(found.testedWith)],
      ['Source:', `${found.source}, read ${found.read}`],
    ]),
    `\nTo know before it is chosen:\n${known.length === 0 ? '  nothing is known' : known.join('\n')}`,
    found.files.length === 0
      ? '\nNo checksum of its files is pinned: they come from a folder of yours (SIGNALBOX_CALICO_DIR) only.'
      : `\nFiles (sha256 pinned):\n${columns(found.files.map(({ name, sha256 }) => [`  ${name}`, sha256 ?? '']))}`,
  ].join('\n');
}

function sentence(row: ReturnType<typeof testedWithOf>): string {
  return row ? `Kubernetes ${row.from} to ${row.to}` : 'not known';
}
