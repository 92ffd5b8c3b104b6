import { isRecord, same } from '#lib/base/records.ts';
import type { ReadObject } from '#lib/facts/index.ts';
import type { ManifestObject } from '#lib/spec/index.ts';
import { isMasked } from '#lib/text/index.ts';

/** A field that is not as the release's file has it. `undefined`: it is not there. */
export type ManualChange = {
  /** `spec.template.spec.containers[calico-node].env[FELIX_LOGSEVERITYSCREEN].value` */
  readonly path: string;
  /** The same step by step; a member of a list as `[calico-node]`. Names may have dots. */
  readonly steps: Steps;
  readonly released: unknown;
  readonly live: unknown;
};

type Steps = readonly string[];

type Fields = Readonly<Record<string, unknown>>;

/** Below these, what the file lacks was added by somebody: the API server adds nothing there. */
const open = /^(data|binaryData|spec\.template\.spec\.nodeSelector|spec\.template\.metadata\.annotations)$/;
/** Lists whose members have a name of their own. What else stands in a list is compared whole. */
const keys = ['name', 'mountPath', 'containerPort'] as const;
/** The parts that people edit; the rest belongs to the API server and to controllers. */
const parts = ['data', 'binaryData', 'spec', 'rules'] as const;

/**
 * What somebody changed in an object after it was made from a release's file. Fields that the API server fills in do not count, nor does what the
 * file leaves empty. Images count: a mirror is a change that a new file loses.
 */
export function manualChanges(live: ReadObject, released: ManifestObject): ManualChange[] {
  return parts.flatMap((part) => compared([part], released[part], live[part]));
}

function compared(steps: Steps, released: unknown, live: unknown): ManualChange[] {
  const isOpen = open.test(pathOf(steps));
  // What was masked cannot be compared.
  if (isMasked(live) || isEmpty(released)) return isEmpty(released) && isOpen ? added(steps, {}, live) : [];
  if (Array.isArray(released) && Array.isArray(live)) return comparedLists(steps, released, live);
  if (isRecord(released) && isRecord(live)) {
    const changed = Object.entries(released).flatMap(([key, value]) => compared([...steps, key], value, live[key]));
    return isOpen ? [...changed, ...added(steps, released, live)] : changed;
  }
  return sameField(released, live) ? [] : [changeAt(steps, released, live)];
}

function comparedLists(steps: Steps, released: readonly unknown[], live: readonly unknown[]): ManualChange[] {
  const key = keys.find((one) => [...released, ...live].every((member) => isRecord(member) && one in member));
  if (key === undefined) return sameField(released, live) ? [] : [changeAt(steps, released, live)];
  const byKey = (list: readonly unknown[]) =>
    new Map(list.flatMap((member) => (isRecord(member) ? [[String(member[key]), member] as const] : [])));
  const [before, now] = [byKey(released), byKey(live)];
  return [
    ...[...before].flatMap(([name, member]) => {
      const at = [...steps, `[${name}]`];
      const found = now.get(name);
      return found === undefined ? [changeAt(at, member, undefined)] : compared(at, member, found);
    }),
    ...[...now].flatMap(([name, member]) =>
      before.has(name) ? [] : [changeAt([...steps, `[${name}]`], undefined, member)],
    ),
  ];
}

function changeAt(steps: Steps, released: unknown, live: unknown): ManualChange {
  return { path: pathOf(steps), steps, released, live };
}

function pathOf(steps: Steps): string {
  return steps.map((step, index) => (index === 0 || step.startsWith('[') ? step : `.${step}`)).join('');
}

/** The field of an object that a change names; undefined where it is not there. */
export function fieldNamed(object: ManifestObject | undefined, { steps }: Pick<ManualChange, 'steps'>): unknown {
  return steps.reduce<unknown>(stepped, object);
}

function stepped(value: unknown, step: string): unknown {
  if (isRecord(value)) return Object.hasOwn(value, step) ? value[step] : undefined;
  if (!Array.isArray(value)) return undefined;
  const key = keys.find((one) => value.every((member) => isRecord(member) && one in member));
  return value.find((member) => isRecord(member) && key !== undefined && `[${String(member[key])}]` === step);
}

function added(steps: Steps, released: Fields, live: unknown): ManualChange[] {
  if (!isRecord(live)) return [];
  return Object.entries(live).flatMap(([key, value]) =>
    Object.hasOwn(released, key) ? [] : [changeAt([...steps, key], undefined, value)],
  );
}

/** What is not written is not sent: `value: ""` and no value are one to the API server. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

export function sameField(left: unknown, right: unknown): boolean {
  return (isEmpty(left) && isEmpty(right)) || same(left, right);
}
