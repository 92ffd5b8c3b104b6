import type { Subject } from '#lib/facts/index.ts';
import { sameCause } from '../wording/same-cause.ts';
import { listed } from '../wording/sentences.ts';

/** `web/shop, web/cart and 4 more`: by namespace and name. */
export function namesOf(subjects: readonly Subject[]): string {
  return listed(subjects.map(({ namespace, name }) => (namespace === null ? name : `${namespace}/${name}`)));
}

/** `worker-3 and worker-7 (4.15.0, 5.3 is needed), worker-9 (…) and 4 more`: each detail once, after its subjects. */
export function withDetails(subjects: readonly Subject[]): string {
  return listed(sameCause(subjects).map((cause) => `${listed(cause.map(({ name }) => name))} (${cause[0].detail})`));
}

/** Subjects by kind and name: `Service web/shop and NetworkPolicy web/allow`. */
export function kindsAndNamesOf(subjects: readonly Subject[]): string {
  return listed(
    subjects.map(({ kind, namespace, name }) => `${kind} ${namespace === null ? name : `${namespace}/${name}`}`),
  );
}

/** `spec` stands for the object's own field: subjects carry what was read there in words. */
export function subjectEvidence(
  subjects: readonly Subject[],
  path: string,
): { object: string; path: string; value: unknown }[] {
  return subjects.slice(0, 50).map(({ kind, namespace, name, detail }) => ({
    object: namespace === null ? `${kind}/${name}` : `${namespace}/${kind}/${name}`,
    path,
    value: detail,
  }));
}
