import { isKubeError, type KubeError, type MissingRule } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import type { Coverage } from '../schema.ts';

export type Missing = Coverage['missing'][number];

/**
 * What was read, and what is missing from it. `value` is there in any case: a node that was read before the rest of the list failed
 * is enough to fail a check, and never enough to pass one.
 */
export type Reading<T> = { readonly value: T; readonly missing: readonly Missing[] };

/** Kinds are told apart by their group; the core group has none: `Node`, `DaemonSet.apps`. */
export function kindName({ group, kind }: Resource): string {
  // One product under two names: projectcalico.org/v3 and where it is stored count as one (checks.md › Coverage).
  const shown = group === 'crd.projectcalico.org' ? 'projectcalico.org' : group;
  return shown === '' ? kind : `${kind}.${shown}`;
}

export function missingOf(resource: Resource, error: KubeError, rule: MissingRule): Missing {
  return {
    kind: kindName(resource),
    because: error.message,
    ...(isKubeError(error, 'forbidden') ? { rule: plainRule(error.detail.rule ?? rule) } : {}),
  };
}

export function notInDump(resource: Resource): Missing {
  return { kind: kindName(resource), because: `the dump has no ${kindName(resource)} and no list of them` };
}

/** A dump holds a part of a list: what is there counts, what is not there is not known. `lacks` as the KubeError has it. */
export function partOfDump(resource: Resource, lacks: string): Missing {
  const kind = kindName(resource);
  return { kind, because: `the dump has no ${kind} ${lacks}` };
}

function plainRule({ verb, group, resource, subresource, namespace, name }: MissingRule): NonNullable<Missing['rule']> {
  return {
    verb,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}
