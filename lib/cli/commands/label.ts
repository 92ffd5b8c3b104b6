import type { KubeObject } from '#lib/kube/index.ts';
import { carryOutChanges, changeFlags, changeTo, withTargets } from '../calico/change-objects.ts';
import { namedObjects, selectionFlags } from '../calico/named-objects.ts';
import type { Command } from '../command.ts';
import { exit, usageError } from '../exit.ts';
import { changingFlags, outputFlags } from '../global-flags.ts';
import { formatOf } from '../terminal/output.ts';

export const label: Command = {
  name: 'label',
  arguments: 'KIND NAME … KEY=VALUE … KEY- …',
  summary:
    "Set labels of objects of projectcalico.org/v3, or remove them (KEY-), as kubectl label does. Goes through Calico's API server where it answers, else to where the objects are stored. Shows the difference and asks first.",
  flags: {
    ...changingFlags,
    ...selectionFlags,
    all: { help: 'all objects of the kind in the namespace' },
    overwrite: { help: 'change labels that exist' },
    ...changeFlags,
    ...outputFlags,
    output: { value: 'FORMAT', short: 'o', help: 'table (default), json, yaml or name' },
  },
  async run(invocation) {
    const { args, flags, terminal } = invocation;
    const format = formatOf(flags, ['table', 'json', 'yaml', 'name'] as const);
    const isLabel = (one: string) => one.includes('=') || one.endsWith('-');
    const wanted = args.filter(isLabel).map(wantedLabel);
    if (wanted.length === 0) throw usageError('error: at least one label update is required');
    const twice = wanted.find(({ key }, index) => wanted.findIndex((one) => one.key === key) !== index);
    if (twice)
      throw usageError(`error: can not both modify and remove label ${JSON.stringify(twice.key)}, or set it twice`);
    const named = namedObjects(
      'label',
      args.filter((one) => !isLabel(one)),
    );
    const labelSelector = flags.text('selector') ?? null;
    const all = flags.has('all');
    if (named.names.length === 0 && labelSelector === null && !all)
      throw usageError('error: resource(s) were provided, but no name, label selector, or --all flag specified');
    if (named.names.length > 0 && (labelSelector !== null || all))
      throw usageError('error: name cannot be provided when a selector or --all is specified');
    return withTargets(invocation, { ...named, labelSelector, all }, async ({ kube }, targets) => {
      const changes = targets.map((target) =>
        changeTo(target, labelled(target.found.shown, wanted, flags.has('overwrite'))),
      );
      for (const { found } of targets)
        for (const { key, value } of wanted)
          if (value === null && found.shown.metadata.labels?.[key] === undefined)
            terminal.err(`label ${JSON.stringify(key)} not found.`);
      const done = wanted.every(({ value }) => value === null) ? 'unlabeled' : 'labeled';
      const words = (isNeeded: boolean) => (isNeeded ? done : 'not labeled');
      await carryOutChanges(invocation, kube, changes, { format, words });
      if (targets.length === 0) terminal.err('No resources found');
      return exit.fine;
    });
  },
};

type WantedLabel = { readonly key: string; readonly value: string | null };

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const keyShape = /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const valueShape = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

function wantedLabel(text: string): WantedLabel {
  const at = text.indexOf('=');
  const key = at < 0 ? text.slice(0, -1) : text.slice(0, at);
  const value = at < 0 ? null : text.slice(at + 1);
  if (!keyShape.test(key) || (value !== null && !valueShape.test(value)))
    throw usageError(
      `error: invalid label: ${JSON.stringify(text)}: a key is a name of up to 63 letters, digits, '-', '_' and '.', with a domain and '/' before it if need be; a value is such a name, or empty`,
    );
  return { key, value };
}

/** Throws if a label has another value and `--overwrite` is missing. */
function labelled(object: KubeObject, wanted: readonly WantedLabel[], overwrite: boolean): KubeObject {
  const labels = new Map(Object.entries(object.metadata.labels ?? {}));
  for (const { key, value } of wanted) {
    const before = labels.get(key);
    if (value === null) labels.delete(key);
    else if (before !== undefined && before !== value && !overwrite)
      throw usageError(`error: '${key}' already has a value (${before}), and --overwrite is false`);
    else labels.set(key, value);
  }
  return { ...object, metadata: { ...object.metadata, labels: Object.fromEntries(labels) } };
}
