import { isRecord } from '#lib/base/records.ts';
import { scannerOf } from '#lib/base/selectors/calico-selector.ts';

/**
 * The syntax of Calico's selectors, which are text in every spec (libcalico-go/lib/selector/parser/parser.go and tokenizer/tokenizer.go, read
 * 2026-11-23). Only blanks and tabs separate words; quoted text has no escapes; an empty selector means `all()`.
 */

const blank = String.raw`[ \t]*`;
const label = `[a-zA-Z0-9_./-]+(?![a-zA-Z0-9_./-])`;
const quoted = `(?:"[^"]*"|'[^']*')`;
/** A trailing comma is allowed. */
const quotedSet = String.raw`\{${blank}(?:${quoted}${blank}(?:,${blank}${quoted}${blank})*(?:,${blank})?)?\}`;
const isTo = `(?:==|!=|contains|starts${blank}with|ends${blank}with)`;
const terms = [
  String.raw`(?:all|global)\(${blank}\)`,
  String.raw`has\(${blank}${label}${blank}\)`,
  `${label}${blank}(?:${isTo}${blank}${quoted}|(?:not${blank}in|in)${blank}${quotedSet})`,
];
/** Sticky patterns: each matches where the last one ended. */
const blanks = /[ \t]*/y;
const beforeTerm = /!(?!=)|\(/y;
const term = new RegExp(terms.join('|'), 'y');
const afterTerm = /\)|&&|\|\|/y;

/** The rest of a selector from its first syntax error; null: it is valid. */
function unreadable(selector: string): string | null {
  const { take, rest } = scannerOf(selector);
  let open = 0;
  let isTermNext = true;
  take(blanks);
  if (rest() === '') return null;
  for (let from = rest(); from !== ''; from = rest()) {
    const word = isTermNext ? take(beforeTerm) : take(afterTerm);
    if (word === '(') open++;
    else if (word === ')' && --open < 0) return from;
    else if (word === '&&' || word === '||') isTermNext = true;
    else if (word === null) {
      if (!isTermNext || take(term) === null) return from;
      isTermNext = false;
    }
    take(blanks);
  }
  return isTermNext || open > 0 ? '' : null;
}

const isSelectorField = (name: string) => /(?:^s|S)elector$/.test(name);

/** The first selector of a spec that is none, at any depth: its path, and the words of Calico's API for it; null where all can be read. */
export function wrongSelector(value: unknown, path: string): string | null {
  const members = Array.isArray(value)
    ? value.map((one, index) => [`${path}[${index}]`, one, ''] as const)
    : Object.entries(isRecord(value) ? value : {}).map(([name, one]) => [`${path}.${name}`, one, name] as const);
  for (const [where, one, name] of members) {
    if (typeof one !== 'string' || !isSelectorField(name)) {
      const wrong = wrongSelector(one, where);
      if (wrong !== null) return wrong;
      continue;
    }
    const rest = unreadable(one);
    if (rest === null) continue;
    const from = rest === '' ? 'it ends too early' : `it cannot be read from ${JSON.stringify(rest)} on`;
    return `${where}: Invalid value: ${JSON.stringify(one)}: no selector of Calico: ${from}`;
  }
  return null;
}
