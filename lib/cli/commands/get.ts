import type { KubeObject } from '#lib/kube/index.ts';
import { findObject, listObjects, type OpenKind, openKinds } from '#lib/usecases/calico/calico-objects.ts';
import { inKubectlWords, notFoundWords } from '../calico/kubectl-words.ts';
import { namedObjects, namespaceOf, selectionFlags } from '../calico/named-objects.ts';
import { asKubectlPrints, objectName, objectsTable, printedList } from '../calico/objects-table.ts';
import { sandboxAsItIs } from '../calico/sandbox-as-it-is.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { clusterFlags, outputFlags } from '../global-flags.ts';
import { withCluster } from '../open-cluster.ts';
import { formatOf, writeData } from '../terminal/output.ts';

/** spec › Versioning: an old calicoctl must not be used. This one reads what any Calico of the API's datastore has, in the form of v3. */
export const get: Command = {
  name: 'get',
  arguments: 'KIND[,KIND] [NAME …] | KIND/NAME …',
  summary:
    "List objects of projectcalico.org/v3, named and printed as kubectl and calicoctl do. Reads them from Calico's API server where it answers, else from where they are stored, in the same form.",
  flags: {
    ...clusterFlags,
    ...selectionFlags,
    'all-namespaces': { short: 'A', help: 'in every namespace' },
    'show-labels': { help: 'table: with labels' },
    'no-headers': { help: 'table: without the header line' },
    'ignore-not-found': { help: 'succeed even if an object does not exist' },
    ...outputFlags,
    output: { value: 'FORMAT', short: 'o', help: 'table (default), wide, json, yaml or name' },
  },
  async run({ args, flags, terminal, env, signal }) {
    const format = formatOf(flags, ['table', 'wide', 'json', 'yaml', 'name'] as const);
    const named = namedObjects('get', args);
    const everywhere = flags.has('all-namespaces');
    const labelSelector = flags.text('selector') ?? null;
    if (named.names.length > 0 && everywhere)
      throw usageError('error: a resource cannot be retrieved by name across all namespaces');
    if (named.names.length > 0 && labelSelector !== null)
      throw usageError('error: name cannot be provided when a selector is specified');
    return withCluster({ flags, env }, await sandboxAsItIs(flags, env), async ({ kube }) => {
      const namespace = namespaceOf(flags, kube);
      const open = await openKinds(kube, named.words, signal).catch(rethrown);
      const found: { open: OpenKind; objects: KubeObject[] }[] = [];
      const missing: string[] = [];
      for (const [index, one] of open.entries()) {
        const names = named.names.filter(({ word }) => word === named.words[index]);
        const objects: KubeObject[] = [];
        if (named.names.length === 0) {
          const selection = { namespace: everywhere ? null : namespace, labelSelector };
          for (const { shown } of await listObjects(kube, one, selection, signal).catch(rethrown)) objects.push(shown);
        }
        for (const { name } of names) {
          const object = await findObject(kube, one, namespace, name, signal).catch(rethrown);
          const { plural, group } = one.kind.shown;
          if (object) objects.push(object.shown);
          else if (!flags.has('ignore-not-found')) missing.push(notFoundWords(plural, group, name));
        }
        found.push({ open: one, objects });
      }

      const objects = found.flatMap((one) => one.objects);
      const single = named.names.length === 1;
      const [only] = objects;
      if (format === 'json' || format === 'yaml') {
        if (only && single) writeData(terminal, format, asKubectlPrints(only));
        else if (!single) writeData(terminal, format, printedList(objects));
      } else if (format === 'name') {
        for (const { open: one, objects: named } of found)
          for (const { metadata } of named) terminal.out(objectName(one.kind, metadata.name ?? ''));
      } else if (objects.length > 0) {
        const tables = found
          .filter((one) => one.objects.length > 0)
          .map((one) =>
            objectsTable(one.open.kind, one.objects, {
              withNamespace: everywhere && one.open.kind.shown.namespaced,
              withKind: open.length > 1,
              withLabels: flags.has('show-labels'),
              headers: !flags.has('no-headers'),
            }),
          );
        terminal.out(tables.join('\n\n'));
      } else if (named.names.length === 0) {
        const isNamespaced = open.some(({ kind }) => kind.shown.namespaced) && !everywhere;
        terminal.err(isNamespaced ? `No resources found in ${namespace} namespace.` : 'No resources found');
      }
      for (const line of missing) terminal.err(line);
      return missing.length > 0 ? exit.usage : exit.fine;
    });
  },
};

function rethrown(error: unknown): never {
  throw inKubectlWords(error);
}
