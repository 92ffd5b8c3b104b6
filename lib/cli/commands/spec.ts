import { distributionFloors, gates, kernelRules, platforms, unsupportedFeatures } from '#lib/spec/index.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { nearest } from '../flags.ts';
import { outputFlags } from '../global-flags.ts';
import { formatOf, writeData } from '../output.ts';
import { columns, wrap } from '../terminal.ts';

/** A table of the product: as data, and as people read it. */
type SpecTable = { readonly kind: string; readonly data: Record<string, unknown>; table(width: number): string };

const tables: Readonly<Record<string, SpecTable>> = {
  platforms: {
    kind: 'Platforms',
    data: { platforms: Object.values(platforms) },
    table: () =>
      columns([
        ['KIND', 'EBPF', 'SERVICE PROXY', 'TITLE'],
        ...Object.values(platforms).map(({ kind, ebpf, proxy, title }) => [
          kind,
          ebpf.supported ? 'yes' : 'no',
          proxy.by,
          title,
        ]),
      ]),
  },
  kernels: {
    kind: 'Kernels',
    data: { kernels: kernelRules, distributions: distributionFloors },
    table: () =>
      columns([
        ['WHAT', 'FROM', 'SOURCE'],
        ...kernelRules.map(({ family, floor, source }) => [`kernel (${family})`, floor, source]),
        ...distributionFloors.map(({ name, floor, source }) => [name, floor, source]),
      ]),
  },
  gates: {
    kind: 'Gates',
    data: { gates },
    table: (width) =>
      gates
        .map(({ id, action, condition, advice, source }) =>
          [
            `${id}  ${action}`,
            ...[condition, advice, `Source: ${source}`].map((text) => wrap(text, width, '    ')),
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
};

export const spec: Command = {
  name: 'spec',
  arguments: Object.keys(tables).join(' | '),
  summary: "The product's tables, each row with its source and the date it was read.",
  flags: outputFlags,
  async run({ args, flags, terminal }) {
    const format = formatOf(flags, ['table', 'json', 'yaml'] as const);
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
    else writeData(terminal, format, { apiVersion: 'signalbox.dev/v1', kind: found.kind, ...found.data });
    return exit.fine;
  },
};
