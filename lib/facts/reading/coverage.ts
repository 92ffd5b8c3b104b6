import type { Coverage } from '../schema.ts';
import type { Missing, Reading } from './reading.ts';

type Read = Reading<unknown>;

/** Coverage of a fact that needs all of these readings. */
export function allOf(...readings: readonly Read[]): Coverage {
  return coverageOf(readings.flatMap(({ missing }) => missing));
}

/** Coverage of a fact that any of several kinds can show: covered if one did (`found`), or if all were read. */
export function foundOr(found: boolean, ...readings: readonly Read[]): Coverage {
  return found ? { covered: true, missing: [] } : allOf(...readings);
}

/** The coverage of a fact that one missing kind leaves open. */
export function uncovered(kind: string, because: string): Coverage {
  return { covered: false, missing: [{ kind, because }] };
}

/** The missing part of a list of Calico's objects with etcd, which the Kubernetes API does not show. */
export function notShownOfEtcd(kind: string): Missing {
  return { kind, because: 'this installation keeps it in etcd' };
}

function coverageOf(missing: readonly Missing[]): Coverage {
  const once = new Map(missing.map((one) => [`${one.kind} ${one.because}`, one]));
  return { covered: once.size === 0, missing: [...once.values()] };
}
