import { counted, inList, sentence as started, thousands } from '#lib/base/words.ts';
import { plainLine } from './plain.ts';

/** `2 of 14 nodes`, `the only node`: how many of all, to begin a sentence with. */
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

/** A value from the cluster or from the administrator, visibly a value. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return `"${plainLine(text, 120)}"`;
}

/** First letter up, full stop at the end: for phrases that come from elsewhere. */
export function sentence(phrase: string): string {
  return started(plainLine(phrase));
}

/** Without the full stop at its end: for sentences from elsewhere that become part of ours. */
export function phrase(text: string): string {
  return plainLine(text)
    .trim()
    .replace(/[.\s]+$/, '');
}
