import { counted, inList, sentence as started, thousands, withoutStop } from '#lib/base/words.ts';
import { plainLine } from './plain.ts';

/** `2 of 14 nodes`, `The only node`: begins a sentence. */
export function shareOf(count: number, total: number, singular: string, plural: string = `${singular}s`): string {
  return total === 1 ? `The only ${singular}` : `${thousands(count)} of ${counted(total, singular, plural)}`;
}

/** `worker-3`, `worker-3 and worker-9`, `a, b, c and 4,997 more`. */
export function listed(names: readonly string[], most?: number): string {
  return names.length === 0
    ? 'none'
    : inList(
        names.map((name) => plainLine(name, 253)),
        most,
      );
}

/** A value from the cluster or the administrator, in double quotes. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return `"${plainLine(text, 120)}"`;
}

/** A phrase of another module as a sentence: with a capital first letter and a full stop. */
export function sentence(phrase: string): string {
  return started(plainLine(phrase));
}

/** A sentence of another module as part of ours: without its full stop. */
export function phrase(text: string): string {
  return withoutStop(plainLine(text).trim());
}
