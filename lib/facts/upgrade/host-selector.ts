import { calicoSelector, type Matches } from '#lib/base/selectors/calico-selector.ts';

export type SelectorsOfPolicy = {
  readonly selector: string | null;
  readonly namespaceSelector: string | null;
  readonly serviceAccountSelector: string | null;
};

const all = () => false;

/**
 * Which labels of a host endpoint a global policy selects; null: it cannot be read. Labels of namespaces and accounts are renamed and asked of the host
 * too, which has none: `not in`, `!=` and `!has()` hold there. Beside such a selector `all()` means whatever is in a namespace, or has an account
 * (libcalico-go/lib/backend/syncersv1/updateprocessors/globalnetworkpolicyprocessor.go, read 2026-11-23).
 */
export function hostSelector({
  selector,
  namespaceSelector,
  serviceAccountSelector,
}: SelectorsOfPolicy): Matches | null {
  const ofOwners = [namespaceSelector, serviceAccountSelector].flatMap((text) => text || []);
  const owners = ofOwners.map((text) => calicoSelector(text, { all }));
  if (owners.some((matches) => matches?.({}) === false)) return all;
  const own = ofOwners.length === 0 ? calicoSelector(selector ?? '') : calicoSelector(selector ?? '', { all });
  return owners.includes(null) ? null : own;
}
