import type { Fields } from '#lib/base/records.ts';
import { isTiered, tierOf } from './policy-name.ts';

const isIPv6 = (spec: Fields) => typeof spec.cidr === 'string' && spec.cidr.includes(':');
const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** What Calico's API shows of a pool where nothing is stored (libcalico-go/lib/clientv3/ippool.go, convertIpPoolFromStorage; read 2026-11-23). */
const poolDefaults: readonly (readonly [field: string, value: (spec: Fields) => unknown])[] = [
  ['blockSize', (spec) => (isIPv6(spec) ? 122 : 26)],
  ['allowedUses', () => ['Workload', 'Tunnel']],
  ['nodeSelector', () => 'all()'],
  ['ipipMode', () => 'Never'],
  ['vxlanMode', () => 'Never'],
  ['assignmentMode', () => 'Automatic'],
];

/** A stored spec as Calico's API shows it. `stored`: the name under which the object lies. */
export function withDefaults(kind: string, stored: string, spec: Fields): Fields {
  if (kind === 'IPPool') {
    const missing = poolDefaults.filter(
      ([field]) => isEmpty(spec[field]) || (field === 'blockSize' && spec[field] === 0),
    );
    return { ...spec, ...Object.fromEntries(missing.map(([field, value]) => [field, value(spec)])) };
  }
  if (isTiered(kind) && isEmpty(spec.tier)) return { ...spec, tier: tierOf(stored) };
  // Text where it is stored, and left out where it is not so (libcalico-go/lib/backend/k8s/resources/ipam_affinity.go).
  if (kind === 'BlockAffinity') {
    const { deleted, ...others } = spec;
    return deleted === true || deleted === 'true' ? { ...others, deleted: true } : others;
  }
  return spec;
}

/** As Calico's API completes a policy that is written without types (libcalico-go/lib/clientv3, defaultPolicyTypesField; read 2026-11-23). */
export function withPolicyTypes(kind: string, spec: Fields): Fields {
  if (!isTiered(kind) || !isEmpty(spec.types) || spec.stagedAction === 'Delete') return spec;
  const types = isEmpty(spec.egress) ? ['Ingress'] : isEmpty(spec.ingress) ? ['Egress'] : ['Ingress', 'Egress'];
  return { ...spec, types };
}
