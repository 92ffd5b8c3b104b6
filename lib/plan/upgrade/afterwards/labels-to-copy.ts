import { isRecord } from '#lib/base/records.ts';
import { isLabelOfKubernetes, type ObjectRef, resources } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { fieldAt } from '../../objects/field.ts';
import { objectOf } from '../../objects/objects.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';

export type LabelsToCopy = { readonly node: ObjectRef; readonly labels: Readonly<Record<string, string>> };

/** A decision about a host. `id`: the name of its answer; `keep` and `take`: what each of the two answers means; `take` null: only *keep* is possible. */
export type HostDecision = {
  readonly id: string;
  readonly about: string;
  readonly keep: string;
  readonly take: string | null;
};

type Copied = { node: ObjectRef; key: string; value: string; here: string | undefined };

/**
 * Labels of old host endpoints that their nodes lack, by node. Automatic endpoints get the labels of the node (spec › Label node), so policies that select
 * by the others would no longer apply. Where the node has another value, the administrator decides. Throws a PlanError for a label without a decision, for
 * an answer that names no such label, and for a node that was not read.
 */
export function labelsToCopy(context: Pick<PlanContext, 'facts' | 'choices' | 'before'>): LabelsToCopy[] {
  const { changes = {} } = context.choices;
  const copied = context.facts.upgrade.hostEndpoints.byHand.flatMap((endpoint) => labelsOf(endpoint, context));
  const conflicts = copied.filter(isConflict);
  const several = severalValues(copied);
  const ids = new Set([...conflicts.map(answerOf), ...several.keys()]);
  const stray = Object.keys(changes).find((name) => name.startsWith('Node/') && !ids.has(name));
  if (stray !== undefined)
    throw new PlanError(
      'choices.changes',
      `changes: ${JSON.stringify(stray)} is not a label with different values on the node and its host endpoint.`,
      ['changes', stray],
    );
  for (const [id, values] of several)
    if (changes[id] !== 'keep')
      throw new PlanError(
        'choices.changes',
        `changes: ${id} would be ${values.join(' and ')}, by the host endpoints of that node. Make them the same first, or copy none of them: --keep ${shellWord(id)}.`,
        ['changes'],
      );
  const open = conflicts.filter((one) => changes[answerOf(one)] === undefined);
  if (open.length > 0)
    throw new PlanError(
      'choices.changes',
      `changes: ${open.map(inWords).join('; ')}. Say of each which stays: --keep ${shellWord(answerOf(open[0] as Copied))} for the node's, --take for the host endpoint's.`,
      ['changes'],
    );
  const isDue = (one: Copied) =>
    !several.has(answerOf(one)) &&
    (one.here === undefined || (one.here !== one.value && changes[answerOf(one)] === 'take'));
  const due = Map.groupBy(copied.filter(isDue), ({ node }) => node.name);
  return [...due].map(([, own]) => ({
    node: (own[0] as Copied).node,
    labels: Object.fromEntries(own.map(({ key, value }) => [key, value])),
  }));
}

/** Labels that nodes share with their old endpoints after the copying step, and that automatic endpoints must have too. Never throws. */
export function labelsInCommon({ facts, before }: PlanContext): LabelsToCopy[] {
  return facts.upgrade.hostEndpoints.byHand.flatMap(({ node, labels }) => {
    if (node === null) return [];
    const ref: ObjectRef = { resource: resources.nodes, name: node };
    const own = fieldAt(objectOf(before, ref), ['metadata', 'labels']);
    const same = Object.entries(labels).filter(([key, value]) => isRecord(own) && own[key] === value);
    return same.length === 0 ? [] : [{ node: ref, labels: Object.fromEntries(same) }];
  });
}

/** Labels that two endpoints of one node have with different values, by the name of their answer. *take* could not say which value is meant. */
function severalValues(copied: readonly Copied[]): ReadonlyMap<string, readonly string[]> {
  const values = [...Map.groupBy(copied, answerOf)].map(
    ([id, same]) => [id, [...new Set(same.map(({ value }) => value))]] as const,
  );
  return new Map(values.filter(([, different]) => different.length > 1));
}

/** Labels that need a decision, with or without one. Throws a PlanError for a node that was not read. */
export function labelsToDecide(context: Pick<PlanContext, 'facts' | 'before'>): HostDecision[] {
  const copied = context.facts.upgrade.hostEndpoints.byHand.flatMap((endpoint) => labelsOf(endpoint, context));
  const several = severalValues(copied);
  const decisions = copied
    .filter((one) => isConflict(one) || several.has(answerOf(one)))
    .map(
      (one): HostDecision => ({
        id: answerOf(one),
        about: `Label ${one.key} of Node ${one.node.name}`,
        keep: one.here ?? 'no such label',
        take: several.has(answerOf(one)) ? null : one.value,
      }),
    );
  return [...new Map(decisions.map((one) => [one.id, one])).values()];
}

const isConflict = (one: Copied) => one.here !== undefined && one.here !== one.value;
const answerOf = ({ node, key }: Copied) => `Node/${node.name}:metadata.labels.${key}`;
const inWords = ({ node, key, value, here }: Copied) =>
  `label ${key} is ${here} on Node ${node.name} and ${value} on its host endpoint`;

type ByHand = PlanContext['facts']['upgrade']['hostEndpoints']['byHand'][number];

function labelsOf({ name, node, labels }: ByHand, context: Pick<PlanContext, 'before'>): Copied[] {
  if (node === null) return [];
  const ref: ObjectRef = { resource: resources.nodes, name: node };
  const object = objectOf(context.before, ref);
  if (object === undefined)
    throw new PlanError(
      'choices.afterwards',
      `afterwards: Node ${node}, of host endpoint ${name}, could not be read: its labels are not verified.`,
      ['afterwards'],
    );
  // The node is gone: its endpoint is deleted with the others, and there is nothing to copy to.
  if (object === null) return [];
  const own = fieldAt(object, ['metadata', 'labels']);
  return Object.entries(labels)
    .filter(([key]) => !isLabelOfKubernetes(key))
    .map(([key, value]) => {
      const here = isRecord(own) ? own[key] : undefined;
      return { node: ref, key, value, here: typeof here === 'string' ? here : undefined };
    });
}
