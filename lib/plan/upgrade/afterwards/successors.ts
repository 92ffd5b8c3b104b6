import { isRecord } from '#lib/base/records.ts';
import { agreeing, inList } from '#lib/base/words.ts';
import { hostSelector } from '#lib/facts/index.ts';
import { automaticProfile, names, resources } from '#lib/spec/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { fieldAt } from '../../objects/field.ts';
import { objectOf } from '../../objects/objects.ts';
import type { PlanContext } from '../../operation.ts';
import { PlanError } from '../../plan-error.ts';
import type { HostDecision } from './labels-to-copy.ts';

/**
 * How automatic host endpoints differ from old ones: they have a profile of their own, no named ports, and none of Kubernetes' labels that were only on
 * the old one (calico.md §7). That may open or close traffic of a host, so the administrator decides on each difference.
 */

type ByHand = PlanContext['facts']['upgrade']['hostEndpoints']['byHand'][number];
type ReplacedEndpoint = { readonly name: string; readonly lacks: readonly string[] };

const answerOf = (name: string) => `HostEndpoint/${name}`;
const mostNamed = 3;

/**
 * Old endpoints that are deleted, each with what its automatic one lacks. Those with the answer *keep* stay. Throws a PlanError for an endpoint without a
 * decision, and for an answer that names no endpoint that differs.
 */
export function replacedEndpoints(context: PlanContext): ReplacedEndpoint[] {
  const { changes = {} } = context.choices;
  const all = compared(context);
  const lacking = all.filter(({ lacks }) => lacks.length > 0);
  const ids = new Set([resources.hostEndpoints.kind, ...lacking.map(({ name }) => answerOf(name))]);
  const stray = Object.keys(changes).find((name) => name.startsWith('HostEndpoint') && !ids.has(name));
  if (stray !== undefined)
    throw undecided(`${JSON.stringify(stray)} is not a host endpoint whose automatic one differs.`, stray);
  const decided = ({ name }: ReplacedEndpoint) => changes[answerOf(name)] ?? changes[resources.hostEndpoints.kind];
  const open = lacking.filter((one) => !['keep', 'take'].includes(decided(one) as string));
  const [first] = open;
  if (first !== undefined) {
    const more = open.length > mostNamed ? ` So it is with ${open.length - mostNamed} more.` : '';
    throw undecided(
      `${open.slice(0, mostNamed).map(inWords).join(' ')}${more} Say of each whether the automatic one takes its place: --take ${shellWord(answerOf(first.name))}, or --keep to leave the old one; --take HostEndpoint says so of all.`,
    );
  }
  return all.filter((one) => one.lacks.length === 0 || decided(one) === 'take');
}

/** Old endpoints that need a decision, with or without one. `before`: the objects with the labels already copied. */
export function endpointsToDecide(context: Pick<PlanContext, 'facts' | 'before'>): HostDecision[] {
  return compared(context)
    .filter(({ lacks }) => lacks.length > 0)
    .map(({ name, lacks }) => ({
      id: answerOf(name),
      about: `Host endpoint ${name}`,
      keep: 'the old one stays',
      take: `the automatic one takes its place; the old one differs: ${lacks.join('; ')}`,
    }));
}

/** A sentence that names an old endpoint and what its automatic one lacks. */
export const inWords = ({ name, lacks }: ReplacedEndpoint) => `Host endpoint ${name}: ${lacks.join('; ')}.`;

function undecided(because: string, ...path: string[]): PlanError {
  return new PlanError('choices.changes', `changes: ${because}`, ['changes', ...path]);
}

function compared(context: Pick<PlanContext, 'facts' | 'before'>): ReplacedEndpoint[] {
  const { byHand, selecting } = context.facts.upgrade.hostEndpoints;
  const policies = selecting.map((one) => ({ policy: one.policy, matches: hostSelector(one) }));
  return byHand.map((old) => {
    const labels = labelsOfNode(old.node, context);
    if (labels === null || old.node === null) return { name: old.name, lacks: [] };
    const next = {
      ...labels,
      [names.createdByLabel]: names.kubeControllersDeployment,
    };
    const lost = policies
      .filter(({ matches }) => matches === null || (matches(old.labels) && !matches(next)))
      .map(({ policy, matches }) => (matches === null ? `${policy} (its selector cannot be read)` : policy));
    return { name: old.name, lacks: [...ofProfiles(old), ...ofPorts(old), ...ofPolicies(lost)] };
  });
}

/** Labels of a node after the copying step. Null: there is no such node, so nothing is lost with the endpoint. */
function labelsOfNode(node: string | null, { before }: Pick<PlanContext, 'before'>): Record<string, string> | null {
  const object = node === null ? null : objectOf(before, { resource: resources.nodes, name: node });
  if (object === null) return null;
  const labels = fieldAt(object, ['metadata', 'labels']);
  return isRecord(labels) ? (labels as Record<string, string>) : {};
}

function ofProfiles({ profiles }: ByHand): string[] {
  if (profiles.length === 1 && profiles[0] === automaticProfile) return [];
  return profiles.length === 0
    ? [
        `it has no profile, so it denies traffic that no policy decides; the automatic one allows that (profile ${automaticProfile})`,
      ]
    : [`its profiles are ${inList(profiles)}, that of the automatic one is ${automaticProfile}`];
}

const ofPorts = ({ ports }: ByHand) =>
  ports.length === 0
    ? []
    : [`the automatic one has no named ports, and rules for ${inList(ports)} no longer apply to the host`];

const ofPolicies = (lost: readonly string[]) =>
  lost.length === 0
    ? []
    : [`global ${agreeing(lost.length, 'policy', 'policies')} ${inList(lost)} may not select the automatic one`];
