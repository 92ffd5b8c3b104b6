import { isKubeError, type KubeError, type MissingRule } from '#lib/kube/index.ts';
import type { Resource } from '#lib/spec/index.ts';
import type { Coverage } from '../schema.ts';

export type Missing = Coverage['missing'][number];

/**
 * A result and what is missing from it. `value` has everything that was read, even if the list broke off: one bad node in it is enough to fail a check, but
 * an incomplete list can never pass one.
 */
export type Reading<T> = { readonly value: T; readonly missing: readonly Missing[] };

/** The name of a kind with its group: `DaemonSet.apps`; of the core group without: `Node`. */
export function kindName({ group, kind }: Resource): string {
  // Calico's two groups have the same kinds and count as one (checks.md › Coverage).
  const shown = group === 'crd.projectcalico.org' ? 'projectcalico.org' : group;
  return shown === '' ? kind : `${kind}.${shown}`;
}

/** The missing part after an error; for a refusal with the rule that would allow the reading. */
export function missingOf(resource: Resource, error: KubeError, rule: MissingRule): Missing {
  return {
    kind: kindName(resource),
    because: error.message,
    ...(isKubeError(error, 'forbidden') ? { rule: plainRule(error.detail.rule ?? rule) } : {}),
  };
}

/** The missing part for a kind that a dump does not contain. */
export function notInDump(resource: Resource): Missing {
  return { kind: kindName(resource), because: `the dump has no ${kindName(resource)} and no list of them` };
}

/** The missing part of a list in a dump. `lacks`: as in the KubeError. */
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
