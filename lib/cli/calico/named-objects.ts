import type { Kube } from '#lib/kube/index.ts';
import { usageError } from '../exit.ts';
import type { Flags, FlagTable } from '../flags.ts';

/** Which objects (kubectl's own flags). */
export const selectionFlags = {
  namespace: { value: 'NAME', short: 'n', help: "namespace; else the context's, else default" },
  selector: { value: 'LABELS', short: 'l', help: 'objects with these labels: app=web, app in (a,b), !app' },
} as const satisfies FlagTable;

/** `hep a b`, or `hep/a hep/b`: each kind's word with the names that follow it; no names: all of the kinds. */
export type NamedObjects = {
  readonly words: readonly string[];
  readonly names: readonly { word: string; name: string }[];
};

/** Throws with kubectl's words where words and names are mixed or missing. */
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

/** The namespace that is asked for; the context's where none is. */
export function namespaceOf(flags: Flags, kube: Kube): string {
  return flags.text('namespace') ?? kube.namespace ?? 'default';
}
