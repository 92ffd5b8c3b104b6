import { canonicalJson, isRecord, same } from '#lib/base/records.ts';
import type { ReadObject } from '#lib/facts/index.ts';
import {
  editedMetadata,
  editedParts,
  type ManifestObject,
  serverDefaults,
  serversOwn,
  writtenByMachines,
  zeroIsUnset,
} from '#lib/spec/index.ts';
import { isMasked } from '#lib/text/index.ts';
import { quantity } from './quantity.ts';

/** A field that differs from the release's file. `undefined`: the field is absent. */
export type ManualChange = {
  /** `spec.template.spec.containers[calico-node].env[FELIX_LOGSEVERITYSCREEN].value` */
  readonly path: string;
  /** The path as single steps, because names may contain dots. A member of a list is `[calico-node]`. */
  readonly steps: Steps;
  readonly released: unknown;
  readonly live: unknown;
};

type Steps = readonly string[];

type Fields = Readonly<Record<string, unknown>>;

/** Maps with independent keys: an added key is a change of its own. */
const open =
  /^(data|binaryData|stringData|metadata\.(labels|annotations)|spec\.template\.spec\.nodeSelector|spec\.template\.metadata\.(labels|annotations))$/;
/** Lists whose members have a name, the most specific one first: a volume may be mounted twice, a container may have two ports. */
const keys = ['mountPath', 'containerPort', 'name', 'ip', 'port'] as const;
/** Lists without order whose members have no name: each is identified by its content. */
const sets: ReadonlySet<string> = new Set([
  ...['tolerations', 'envFrom', 'subjects', 'drop', 'add', 'nameservers', 'searches'],
  ...['verbs', 'resourceNames', 'nonResourceURLs'],
]);

/**
 * Changes to an object since it was created from a release's file. Ignored are defaults of the API server (server-defaults.ts) and
 * equal ways to write a value: order in a set, quantities, empty values. Images count: a new file would lose a mirror.
 */
export function manualChanges(live: ReadObject, released: ManifestObject): ManualChange[] {
  const metadata: Fields = released.metadata;
  const now: Fields = isRecord(live.metadata) ? live.metadata : {};
  return [
    ...editedMetadata.flatMap((part) => compared(['metadata', part], metadata[part], now[part])),
    ...editedParts.flatMap((part) => compared([part], released[part], live[part])),
  ];
}

function compared(steps: Steps, released: unknown, live: unknown): ManualChange[] {
  // Masked values cannot be compared.
  if (isMasked(live)) return [];
  if (hasIndependentKeys(steps))
    return comparedKeys(steps, isRecord(released) ? released : {}, isRecord(live) ? live : {});
  if (isEmpty(released) && !isExplicitZero(released, steps.at(-1) ?? '')) {
    const more = withoutDefaults(live, steps.at(-1) ?? '');
    return isEmpty(more) ? [] : [changeAt(steps, undefined, more)];
  }
  if (Array.isArray(released) && Array.isArray(live)) return comparedLists(steps, released, live);
  if (isRecord(released) && isRecord(live)) return comparedKeys(steps, released, live);
  return sameAt(steps, released, live) ? [] : [changeAt(steps, released, live)];
}

function comparedKeys(steps: Steps, released: Fields, live: Fields): ManualChange[] {
  const own = Object.keys(live).filter((key) => !Object.hasOwn(released, key));
  return [...Object.keys(released), ...own].flatMap((key) =>
    hasIndependentKeys(steps) && writtenByMachines.some((one) => one.key.test(key))
      ? []
      : compared([...steps, key], released[key], Object.hasOwn(live, key) ? live[key] : undefined),
  );
}

function comparedLists(steps: Steps, released: readonly unknown[], live: readonly unknown[]): ManualChange[] {
  const nameOf = memberNames(steps.at(-1) ?? '', [...released, ...live]);
  if (nameOf === null || !areApart(released, nameOf) || !areApart(live, nameOf)) {
    const isSame = sameField(
      released,
      live.map((one) => withoutDefaults(one, '')),
    );
    return isSame ? [] : [changeAt(steps, released, live)];
  }
  const byName = (list: readonly unknown[]) => new Map(list.map((member) => [nameOf(member), member] as const));
  const [before, now] = [byName(released), byName(live)];
  return [
    ...[...before].flatMap(([name, member]) => {
      const at = [...steps, `[${name}]`];
      const found = now.get(name);
      if (found === undefined) return [changeAt(at, member, undefined)];
      return nameOf === setMember ? [] : compared(at, member, found);
    }),
    ...[...now].flatMap(([name, member]) =>
      before.has(name) ? [] : [changeAt([...steps, `[${name}]`], undefined, withoutDefaults(member, ''))],
    ),
  ];
}

const areApart = (list: readonly unknown[], nameOf: (member: unknown) => string) =>
  new Set(list.map(nameOf)).size === list.length;

/** How members of such a list are identified; null if they cannot be, and the list is compared as a whole. */
function memberNames(list: string, members: readonly unknown[]): ((member: unknown) => string) | null {
  if (sets.has(list)) return setMember;
  if (list === 'rules') return ruleName;
  const key = keys.find((one) => members.every((member) => isRecord(member) && one in member));
  return key === undefined ? null : (member) => String((member as Fields)[key]);
}

/** `effect=NoSchedule,operator=Exists`: short, because most members are flat. */
function setMember(member: unknown): string {
  if (typeof member === 'string') return member;
  const plain = withoutDefaults(member, '');
  if (!isRecord(plain) || Object.values(plain).some((value) => typeof value === 'object')) return canonicalJson(plain);
  const names = Object.keys(plain).toSorted();
  return names.map((key) => `${key}=${plain[key]}`).join(',');
}

/**
 * What an RBAC rule is about: `apps/daemonsets`, `/nodes/status` of the core group. If a role has several rules for the same, their verbs are part of
 * the name.
 */
function ruleName(rule: unknown): string {
  if (!isRecord(rule)) return canonicalJson(rule);
  const { verbs: _verbs, apiGroups, resources, ...rest } = rule;
  const [groups, kinds] = [apiGroups, resources].map((one) => (Array.isArray(one) ? one.toSorted().join(',') : ''));
  return `${groups}/${kinds}${Object.keys(rest).length === 0 ? '' : canonicalJson(rest)}`;
}

/** A value without the server's defaults. */
function withoutDefaults(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutDefaults(one, ''));
  if (!isRecord(value)) return isDefault(name, value) ? undefined : value;
  const own = Object.entries(value).flatMap(([key, one]) => {
    const rest = serversOwn.has(key) ? undefined : withoutDefaults(one, key);
    // `emptyDir: {}` is empty but no default: it defines the volume's type.
    return rest === undefined || (isRecord(rest) && isEmpty(rest) && !isEmpty(one)) ? [] : [[key, rest] as const];
  });
  return serversOwn.has(name) ? undefined : Object.fromEntries(own);
}

const defaults = new Map(serverDefaults.map(({ field, values }) => [field, values]));

function isDefault(name: string, value: unknown): boolean {
  return serversOwn.has(name) || (defaults.get(name)?.includes(value) ?? false);
}

/** The change at `steps`, with its path for people. */
export function changeAt(steps: Steps, released: unknown, live: unknown): ManualChange {
  return { path: pathOf(steps), steps, released, live };
}

/** Whether `steps` lead to a map with independent keys, in which an added key is a change of its own. */
export const hasIndependentKeys = (steps: Steps) => open.test(pathOf(steps));

function pathOf(steps: Steps): string {
  return steps.map((step, index) => (index === 0 || step.startsWith('[') ? step : `.${step}`)).join('');
}

/** The field that a change names; undefined if it does not exist. */
export function fieldNamed(object: ManifestObject | undefined, { steps }: Pick<ManualChange, 'steps'>): unknown {
  return steps.reduce<unknown>(
    (value, step, index) => fieldOrMember(value, step, index === 0 ? '' : (steps[index - 1] ?? '')),
    object,
  );
}

function fieldOrMember(value: unknown, step: string, list: string): unknown {
  if (isRecord(value)) return Object.hasOwn(value, step) ? value[step] : undefined;
  const at = memberAt(value, step, list);
  return at < 0 ? undefined : (value as unknown[])[at];
}

/**
 * Sets the value to which `steps` lead; `undefined` removes it. Missing parents are created, except members of lists; parents that become empty are
 * removed.
 */
export function withFieldNamed(value: unknown, steps: readonly string[], to: unknown, above = ''): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return to;
  if (step.startsWith('[')) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const at = memberAt(list, step, above);
    // One field does not make a member of a list: the rest of it would be missing.
    if (at < 0 && (to === undefined || rest.length > 0)) return value;
    const member = at < 0 ? to : withFieldNamed(list[at], rest, to);
    if (member === undefined) return list.filter((_, index) => index !== at);
    return at < 0 ? [...list, member] : list.with(at, member);
  }
  if (to === undefined && !isRecord(value)) return value;
  const { [step]: before, ...others } = isRecord(value) ? value : {};
  const after = withFieldNamed(before, rest, to, step);
  if (after === undefined) return others;
  return isRecord(value) && Object.hasOwn(value, step) ? { ...value, [step]: after } : { ...others, [step]: after };
}

/** The index of a list's member; -1 if there is none. Compared by the list's own kind of name, else by any kind that matches. */
function memberAt(list: unknown, step: string, name: string): number {
  if (!Array.isArray(list)) return -1;
  const nameOf = memberNames(name, list);
  return nameOf === null ? -1 : list.findIndex((member: unknown) => `[${nameOf(member)}]` === step);
}

/** The API server treats `value: ""` like no value. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/** A zero or `false` in the file where the server's default differs. It was changed even if the live value is that default. */
function isExplicitZero(value: unknown, name: string): boolean {
  return (value === 0 || value === false) && !zeroIsUnset.has(name);
}

/** Quantities: the server may use another unit than the file. */
const amounts = /\.resources\.(requests|limits)\.[^.]+$/;

function sameAt(steps: Steps, left: unknown, right: unknown): boolean {
  if (sameField(left, right)) return true;
  const amount = amounts.test(pathOf(steps)) ? quantity(left) : null;
  return amount !== null && amount === quantity(right);
}

/** Whether two values of a field are equal; all empty values are. */
export function sameField(left: unknown, right: unknown): boolean {
  return (isEmpty(left) && isEmpty(right)) || same(left, right);
}
