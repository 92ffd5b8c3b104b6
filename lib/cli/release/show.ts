import { nearest } from '#lib/base/nearest.ts';
import { checksumOf, filesOf, releaseAddress } from '#lib/release/index.ts';
import {
  calicoReleases,
  gatesOfRelease,
  isUnknown,
  type TestedWith,
  testedWithOf,
  versionAdvice,
} from '#lib/spec/index.ts';
import type { Invocation } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, wrap } from '../terminal/terminal.ts';
import { kubernetesFromFlag } from './release-flags.ts';

/** Prints what is known of a release. */
export async function showRelease({ flags, terminal }: Invocation, version: string): Promise<number> {
  const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
  const found = describe(version, kubernetesFromFlag(flags));
  if (format !== 'table') writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: 'Release', ...found });
  else terminal.out(asText(found, terminal.columns));
  return exit.fine;
}

function describe(text: string, kubernetesVersion: string | null) {
  const wanted = text.startsWith('v') ? text : `v${text}`;
  const found = calicoReleases.find((row) => row.version === wanted);
  if (!found) {
    const near = nearest(
      wanted,
      calicoReleases.map((row) => row.version),
    );
    const hint = near === null ? '' : ` Did you mean ${near}?`;
    throw usageError(
      `VERSION: Signalbox has no record of release ${JSON.stringify(text)}.${hint} \`signalbox release list\` lists those that can be installed`,
    );
  }
  const { version } = found;
  const { standing, because, newest, kubernetes } = versionAdvice(version, kubernetesVersion);
  return {
    ...found,
    testedWith: testedWithOf(version),
    advice: { standing, because, newest, kubernetes },
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
      ['Operator:', isUnknown(found.operator) ? `not read; ${found.operator.unknown} tells` : found.operator],
      ...(found.installs ? [['Installs:', `${found.installs}, which its manifests still name`]] : []),
      ['Tested with:', testedSentence(found.testedWith)],
      ['Source:', `${found.source}, read ${found.read}`],
    ]),
    `\n${wrap(`${found.advice.because} ${found.advice.kubernetes.because}`, width)}`,
    `\nTo know before it is chosen:\n${known.length === 0 ? '  nothing is known' : known.join('\n')}`,
    found.files.length === 0
      ? `\n${wrap('No checksum of its files is pinned: what they are when they are first used here is recorded, and a later difference refused.', width)}`
      : `\nFiles (sha256 pinned):\n${columns(
          found.files.map(({ name, sha256 }) => [`  ${name}`, sha256 ?? '']),
          width,
        )}`,
  ].join('\n');
}

export function testedSentence(row: TestedWith | null): string {
  return row ? `Kubernetes ${row.from} to ${row.to}` : 'not known';
}
