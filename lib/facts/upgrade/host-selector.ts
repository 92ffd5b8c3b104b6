import { calicoSelector, type Matches } from '#lib/base/selectors/calico-selector.ts';

export type SelectorsOfPolicy = {
  readonly selector: string | null;
  readonly namespaceSelector: string | null;
  readonly serviceAccountSelector: string | null;
};

const all = () => false;

/**
 * Whether a global policy selects a host endpoint with these labels; null: its selector cannot be read. Selectors of namespaces and service accounts are
 * applied to hosts too, under prefixed names that hosts lack, so `not in`, `!=` and `!has()` hold; `all()` there means anything in a namespace or with an
 * account, and so no host (libcalico-go/lib/backend/syncersv1/updateprocessors/globalnetworkpolicyprocessor.go, read 2026-11-23).
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
