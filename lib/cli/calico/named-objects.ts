import type { Kube } from '#lib/kube/index.ts';
import { usageError } from '../exit.ts';
import type { Flags, FlagTable } from '../flags.ts';

/** Flags that select objects, as in kubectl. */
export const selectionFlags = {
  namespace: { value: 'NAME', short: 'n', help: "namespace; else the context's, else default" },
  selector: { value: 'LABELS', short: 'l', help: 'objects with these labels: app=web, app in (a,b), !app' },
} as const satisfies FlagTable;

/** `hep a b` or `hep/a hep/b`: words for kinds with the names after them. Without names: all objects of the kinds. */
export type NamedObjects = {
  readonly words: readonly string[];
  readonly names: readonly { word: string; name: string }[];
};

/** Throws in kubectl's words if both forms are mixed or something is missing. */
export function namedObjects(command: string, args: readonly string[]): NamedObjects {
  const [first, ...rest] = args;
  if (first === undefined)
    throw usageError(`${command}: name a kind of projectcalico.org/v3, e.g. \`signalbox ${command} hostendpoints\``);
  if (!args.some((one) => one.includes('/'))) {
    const words = first.split(',').filter((word) => word !== '');
    if (words.length === 0) throw usageError('error: arguments in resource/name form may not have more than one slash');
    return { words, names: rest.flatMap((name) => words.map((word) => ({ word, name }))) };
  }
  const names = args.map((one) => {
    const [word = '', name = '', ...more] = one.split('/');
    if (!one.includes('/'))
      throw usageError(
        "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'get resource/<resource_name>' instead of 'get resource resource/<resource_name>')",
      );
    if (word === '' || name === '' || more.length > 0)
      throw usageError('error: arguments in resource/name form must have a single resource and name');
    return { word, name };
  });
  return { words: [...new Set(names.map(({ word }) => word))], names };
}

/** The namespace from the flags, or else the context's. */
export function namespaceOf(flags: Flags, kube: Kube): string {
  return flags.text('namespace') ?? kube.namespace ?? 'default';
}
