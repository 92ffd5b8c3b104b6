import type { Coverage } from '../schema.ts';
import type { Missing, Reading } from './reading.ts';

type Read = Reading<unknown>;

/** Every one of these readings is needed. */
export function allOf(...readings: readonly Read[]): Coverage {
  return coverageOf(readings.flatMap(({ missing }) => missing));
}

/** Several kinds can each tell the fact: it is covered as soon as one told it, or when all of them were read and none did. */
export function toldOr(told: boolean, ...readings: readonly Read[]): Coverage {
  return told ? { covered: true, missing: [] } : allOf(...readings);
}

export function uncovered(kind: string, because: string): Coverage {
  return { covered: false, missing: [{ kind, because }] };
}

/** What Calico keeps in etcd no list of the API shows: that there is none in it says nothing. */
export function notShownOfEtcd(kind: string): Missing {
  return { kind, because: 'this installation keeps it in etcd' };
}

function coverageOf(missing: readonly Missing[]): Coverage {
  const once = new Map(missing.map((one) => [`${one.kind} ${one.because}`, one]));
  return { covered: once.size === 0, missing: [...once.values()] };
}
