import { plainLine } from './plain.ts';

/** `1 node`, `14 nodes`; `1 policy`, `2 policies` with the plural given. */
export function counted(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${thousands(count)} ${count === 1 ? singular : plural}`;
}

/** `4,997`. Not by `toLocaleString`: loading a language costs more than all the checks of a big cluster. */
function thousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `2 of 14 nodes`, `the only node`: how many of all, to begin a sentence with. */
export function shareOf(count: number, total: number, singular: string, plural: string = `${singular}s`): string {
  return total === 1 ? `The only ${singular}` : `${thousands(count)} of ${counted(total, singular, plural)}`;
}

/** `worker-3`, `worker-3 and worker-9`, `a, b, c and 4,997 more`. */
export function listed(names: readonly string[], most: number = 3): string {
  const shown = names.slice(0, most).map((name) => plainLine(name, 253));
  const rest = names.length - shown.length;
  if (rest > 0) shown.push(`${thousands(rest)} more`);
  const last = shown.pop();
  if (last === undefined) return 'none';
  return shown.length === 0 ? last : `${shown.join(', ')} and ${last}`;
}

/** A value from the cluster or from the administrator, visibly a value. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return `"${plainLine(text, 120)}"`;
}

/** `has`/`have`, `is`/`are`: the word that agrees with a count. */
export function agreeing(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural;
}

/** First letter up, full stop at the end: for phrases that come from elsewhere. */
export function sentence(phrase: string): string {
  const text = plainLine(phrase).trim();
  if (text === '') return '';
  const started = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.…?]["”)]?$/u.test(started) ? started : `${started}.`;
}

/** Without the full stop at its end: for sentences from elsewhere that become part of ours. */
export function phrase(text: string): string {
  return plainLine(text)
    .trim()
    .replace(/[.\s]+$/, '');
}
