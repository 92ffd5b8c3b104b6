import { nearest } from '#lib/base/nearest.ts';
import { referencePage, signText } from '#lib/reference/index.ts';
import {
  calicoReleases,
  clouds,
  defaultRegistries,
  distributionFloors,
  distributionRules,
  endpointSources,
  enterpriseReleases,
  enterpriseTrains,
  gates,
  imageLists,
  imageUses,
  immutableSystems,
  isUnknown,
  kernelRules,
  operatorTrains,
  otherNetworks,
  platformGuides,
  platformSigns,
  platforms,
  testedWith,
  testedWithOf,
  unsupportedFeatures,
} from '#lib/spec/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { outputIn } from '../global-flags.ts';
import { formatOf, writeData } from '../terminal/output.ts';
import { columns, wrap } from '../terminal/terminal.ts';

/** A table of the product as data and as text. */
type SpecTable = { readonly kind: string; readonly data: Record<string, unknown>; table(width: number): string };

const ebpfWords = { supported: 'yes', 'supported with limits': 'limits', 'not supported': 'no' } as const;

function kubernetesOf(version: string): string {
  const row = testedWithOf(version);
  return row === null ? 'unknown' : `${row.from} to ${row.to}`;
}

const tables: Readonly<Record<string, SpecTable>> = {
  platforms: {
    kind: 'Platforms',
    data: {
      platforms: Object.values(platforms),
      guides: platformGuides,
      signs: platformSigns.map((row) => ({ ...row, sign: signText(row.sign) })),
      endpointSources,
      clouds,
      otherNetworks,
    },
    table: () =>
      columns([
        ['ROW', 'KIND', 'EBPF', 'TITLE'],
        ...platformGuides.map(({ id, kind, ebpf, title }) => [id, kind, ebpfWords[ebpf], title]),
      ]),
  },
  kernels: {
    kind: 'Kernels',
    data: {
      kernels: kernelRules,
      distributions: distributionFloors,
      immutableSystems,
      systems: distributionRules.map((row) => ({ ...row, pattern: row.pattern.source })),
    },
    table: (width) =>
      [
        columns([
          ['WHAT', 'FROM', 'SOURCE'],
          ...kernelRules.map(({ family, floor, source }) => [`kernel (${family})`, floor, source]),
          ...distributionFloors.map(({ name, floor, source }) => [name, floor, source]),
        ]),
        `\n${wrap(`Immutable systems, whose /usr cannot be written: ${immutableSystems.map(({ id }) => id).join(', ')}.`, width)}`,
      ].join('\n'),
  },
  gates: {
    kind: 'Gates',
    data: { gates },
    table: (width) =>
      gates
        .map(({ id, checks, action, condition, advice, source }) =>
          [
            `${id}  ${action}`,
            ...[condition, advice, `Check: ${checks.join(', ')}`, `Source: ${source}`].map((text) =>
              wrap(text, width, '    '),
            ),
          ].join('\n'),
        )
        .join('\n'),
  },
  features: {
    kind: 'Features',
    data: { features: unsupportedFeatures },
    table: (width) =>
      unsupportedFeatures
        .map(({ title, check, note, until }) =>
          [
            title,
            ...[`Check: ${check}`, until ? `${note} Until ${until}.` : note].map((text) => wrap(text, width, '    ')),
          ].join('\n'),
        )
        .join('\n'),
  },
  releases: {
    kind: 'KnownReleases',
    data: {
      releases: calicoReleases,
      operators: operatorTrains,
      enterprise: enterpriseReleases,
      enterpriseOperators: enterpriseTrains,
      kubernetes: testedWith,
      registries: defaultRegistries,
      images: imageLists,
      imageUses,
    },
    table: () =>
      columns([
        ['VERSION', 'OPERATOR', 'TESTED WITH KUBERNETES'],
        ...calicoReleases.map(({ version, operator }) => [
          version,
          isUnknown(operator) ? 'unknown' : operator,
          kubernetesOf(version),
        ]),
      ]),
  },
};

export const spec: Command = {
  name: 'spec',
  arguments: Object.keys(tables).join(' | '),
  summary:
    "Show the product's tables, each row with its source and the date it was read. -o markdown prints the whole page.",
  flags: outputIn('table (default), json, yaml or markdown'),
  async run({ args, flags, terminal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml', 'markdown'] as const);
    const [name, ...more] = args;
    const known = Object.keys(tables);
    if (name === undefined || more.length > 0) throw usageError(`spec: one of ${known.join(', ')} is needed`);
    const found = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (!found) {
      const near = nearest(name, known);
      throw usageError(
        `spec: ${JSON.stringify(name)} is not one of ${known.join(', ')}${near ? `; did you mean ${near}?` : ''}`,
      );
    }
    if (format === 'table') terminal.out(found.table(terminal.columns));
    else if (format === 'markdown') terminal.out((referencePage(name) ?? '').trimEnd());
    else writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: found.kind, ...found.data });
    return exit.fine;
  },
};
