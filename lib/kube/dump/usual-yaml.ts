import { parseDocument } from 'yaml';
import { isRecord } from '#lib/base/records.ts';

/** One document of a file and the line it starts in. */
export type ParsedDocument = { value: unknown; line: number };

/**
 * The documents of a YAML file in the form that kubectl and Helm write: block mappings and lists, plain and quoted scalars over one or more lines, literal
 * blocks, empty or short flow collections, comments on lines of their own. Null for any other file; the package `yaml` reads those, fifteen times slower.
 * The results equal those of `yaml` (usual-yaml.test.ts compares them). Empty documents are left out.
 */
export function parseUsualYaml(text: string): ParsedDocument[] | null {
  try {
    return new UsualYaml(text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text).documents();
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
}

class Unusual extends Error {}
const unusual = (): never => {
  throw new Unusual();
};

const [tab, newline, space, quote, hash, apostrophe, dash, colon] = [9, 10, 32, 34, 35, 39, 45, 58];
const deepest = 200;
/** Longest key in characters that `yaml` accepts. */
const longestKey = 1000;
const endOfText = -1;

class UsualYaml {
  readonly #text: string;
  /** Offset of the next line's first character, and its column; `endOfText` at the end of a document. */
  #at = 0;
  #indent = 0;
  #sawComment = false;
  /** Set by `#scan`: the end of its line, and the offset of the first colon that ends a key, or -1. */
  #eol = 0;
  #colon = -1;
  readonly #keys = new Map<string, string>();

  constructor(text: string) {
    if (text.includes('\r')) unusual();
    this.#text = text;
  }

  documents(): ParsedDocument[] {
    const found: ParsedDocument[] = [];
    let counted = 0;
    let line = 1;
    this.#next(this.#text.startsWith('\uFEFF') ? 1 : 0);
    while (this.#at < this.#text.length) {
      if (this.#indent === endOfText) {
        const eol = this.#lineEnd(this.#at);
        if (withoutSpaces(this.#text.slice(this.#at, eol)) !== '---') unusual();
        this.#next(eol + 1);
        continue;
      }
      if (this.#indent !== 0 || this.#isEntry()) unusual();
      for (; counted < this.#at; counted++) if (this.#text.charCodeAt(counted) === newline) line++;
      found.push({ value: this.#map(0, 0), line });
      if (this.#indent !== endOfText) unusual();
    }
    return found;
  }

  /** Goes to the next line that is neither empty nor a comment. `from` is the start of a line. */
  #next(from: number): void {
    const text = this.#text;
    this.#sawComment = false;
    for (let start = from; ; ) {
      let i = start;
      while (text.charCodeAt(i) === space) i++;
      const char = text.charCodeAt(i);
      if (char === newline) start = i + 1;
      else if (char === hash) {
        this.#sawComment = true;
        start = this.#lineEnd(i) + 1;
      } else if (char === tab) unusual();
      else {
        this.#at = Math.min(i, text.length);
        const isMarker = i === start && (text.startsWith('---', i) || text.startsWith('...', i));
        this.#indent = Number.isNaN(char) || (isMarker && isBlank(text.charCodeAt(i + 3))) ? endOfText : i - start;
        return;
      }
    }
  }

  #lineEnd(from: number): number {
    const eol = this.#text.indexOf('\n', from);
    return eol < 0 ? this.#text.length : eol;
  }

  #isEntry(): boolean {
    return this.#text.charCodeAt(this.#at) === dash && isBlank(this.#text.charCodeAt(this.#at + 1));
  }

  #map(indent: number, depth: number): Record<string, unknown> {
    if (depth > deepest) unusual();
    const map: Record<string, unknown> = {};
    do {
      const key = this.#key();
      map[key] = this.#value(indent, depth, 'of a key');
    } while (this.#indent === indent);
    if (this.#indent > indent) unusual();
    return map;
  }

  #list(indent: number, depth: number): unknown[] {
    if (depth > deepest) unusual();
    const list: unknown[] = [];
    do {
      this.#at++;
      list.push(this.#value(indent, depth, 'of an entry'));
    } while (this.#indent === indent && this.#isEntry());
    if (this.#indent > indent) unusual();
    return list;
  }

  /** Reads a key and sets `#at` to the offset after its colon. */
  #key(): string {
    const text = this.#text;
    const start = this.#at;
    const first = text.charCodeAt(start);
    if (first === quote || first === apostrophe) {
      const end = this.#quoteEnd(start, first);
      if (text.charCodeAt(end) !== colon || !isBlank(text.charCodeAt(end + 1)) || end - start > longestKey) unusual();
      const key = this.#quoted(start, end, first, 0);
      if (key === '__proto__' || text.slice(start, end).includes('\n')) unusual();
      this.#at = end + 1;
      return key;
    }
    this.#scan(start);
    if (this.#colon < 0) unusual();
    this.#at = this.#colon + 1;
    const raw = text.slice(start, this.#colon);
    const known = this.#keys.get(raw);
    if (known !== undefined) return known;
    const isUsual = usualKey.test(raw) && raw.length <= longestKey && raw !== '__proto__';
    if (!isUsual || typeof plainValue(raw) !== 'string') unusual();
    this.#keys.set(raw, raw);
    return raw;
  }

  /** Reads the value after a colon or a dash, on the same line or indented below. */
  #value(indent: number, depth: number, of: 'of a key' | 'of an entry'): unknown {
    const text = this.#text;
    let i = this.#at;
    while (text.charCodeAt(i) === space) i++;
    const first = text.charCodeAt(i);
    if (first === newline || Number.isNaN(first)) {
      this.#next(i + 1);
      if (this.#indent > indent)
        return this.#isEntry() ? this.#list(this.#indent, depth + 1) : this.#map(this.#indent, depth + 1);
      return of === 'of a key' && this.#indent === indent && this.#isEntry() ? this.#list(indent, depth + 1) : null;
    }
    switch (text[i]) {
      case '"':
      case "'": {
        const end = this.#quoteEnd(i, first);
        if (of === 'of an entry' && text.charCodeAt(end) === colon) return this.#map(this.#columnOf(i), depth + 1);
        const value = this.#quoted(i, end, first, indent);
        this.#endLine(end);
        return value;
      }
      case '|':
      case '>':
        return this.#block(i, indent);
      case '{':
      case '[':
        return this.#flow(i);
      case '-':
      case '?':
      case ':':
        if (isBlank(text.charCodeAt(i + 1))) {
          if (first !== dash || of === 'of a key') unusual();
          const column = this.#columnOf(i);
          return this.#list(column, depth + 1);
        }
        break;
      default:
        if (neverPlain.test(text[i] ?? '')) unusual();
    }
    this.#scan(i);
    if (this.#colon < 0) return this.#plain(i, indent);
    return of === 'of an entry' ? this.#map(this.#columnOf(i), depth + 1) : unusual();
  }

  /** The column of a map or list that begins on the line of a dash. */
  #columnOf(i: number): number {
    const column = i - (this.#text.lastIndexOf('\n', i - 1) + 1);
    this.#at = i;
    this.#indent = column;
    return column;
  }

  /** Scans a line for what ends a plain scalar. */
  #scan(from: number): void {
    const text = this.#text;
    this.#colon = -1;
    for (let i = from; ; i++) {
      const char = text.charCodeAt(i);
      if (char === newline || Number.isNaN(char)) {
        this.#eol = i;
        return;
      }
      if (char === colon && this.#colon < 0 && isBlank(text.charCodeAt(i + 1))) {
        this.#colon = i;
        return;
      }
      if (char === tab || (char === hash && text.charCodeAt(i - 1) === space)) unusual();
    }
  }

  #endLine(from: number): void {
    const eol = this.#lineEnd(from);
    for (let i = from; i < eol; i++) if (this.#text.charCodeAt(i) !== space) unusual();
    this.#next(eol + 1);
  }

  /** Reads a plain scalar, whose first line was scanned, with its folded lines. */
  #plain(start: number, indent: number): unknown {
    let eol = this.#eol;
    const first = withoutSpaces(this.#text.slice(start, eol));
    this.#next(eol + 1);
    if (this.#indent <= indent) return plainValue(first);
    let folded = first;
    do {
      const { length } = this.#text.slice(eol, this.#at).replaceAll(' ', '');
      if (this.#sawComment) unusual();
      this.#scan(this.#at);
      if (this.#colon >= 0) unusual();
      eol = this.#eol;
      folded += (length > 1 ? '\n'.repeat(length - 1) : ' ') + withoutSpaces(this.#text.slice(this.#at, eol));
      this.#next(eol + 1);
    } while (this.#indent > indent);
    return plainValue(folded);
  }

  /** The offset after the closing quote. */
  #quoteEnd(start: number, mark: number): number {
    const text = this.#text;
    for (let i = start + 1; ; i++) {
      i = text.indexOf(mark === quote ? '"' : "'", i);
      if (i < 0) return unusual();
      if (mark === apostrophe) {
        if (text.charCodeAt(i + 1) !== apostrophe) return i + 1;
        i++;
      } else {
        let slashes = 0;
        while (text.charCodeAt(i - 1 - slashes) === 92) slashes++;
        if (slashes % 2 === 0) return i + 1;
      }
    }
  }

  #quoted(start: number, end: number, mark: number, indent: number): string {
    const inner = this.#text.slice(start + 1, end - 1);
    const isLong = inner.includes('\n');
    if (isLong && this.#isOutdented(inner, indent)) unusual();
    if (mark === apostrophe) return (isLong ? unfolded(inner) : inner).replaceAll("''", "'");
    if (!isLong && !inner.includes('\\')) return inner;
    const value = asYamlReads(this.#text.slice(start, end));
    return typeof value === 'string' ? value : unusual();
  }

  /** Whether a line of a quoted scalar, also that of its closing quote, is not indented deeper than its parent. */
  #isOutdented(inner: string, indent: number): boolean {
    const lines = `${inner}"`.split('\n').slice(1);
    return lines.some((line) => /[^ ]/.test(line) && line.search(/[^ ]/) <= indent);
  }

  /** Reads `{}`, `[]`, or a flow collection on one line without another inside. */
  #flow(start: number): unknown {
    const text = withoutSpaces(this.#text.slice(start, this.#lineEnd(start)));
    this.#next(this.#lineEnd(start) + 1);
    if (text === '{}') return {};
    if (text === '[]') return [];
    const [open, close] = text.startsWith('{') ? '{}' : '[]';
    const isOne = text.indexOf(close ?? '') === text.length - 1 && text.lastIndexOf(open ?? '') === 0;
    // Anchors and aliases refer to other places of the document, so the piece cannot be read alone.
    if (!isOne || /[&*!#%<\t]|__proto__/.test(text)) unusual();
    const value = asYamlReads(text);
    return (open === '[' ? Array.isArray(value) : isRecord(value)) ? value : unusual();
  }

  #block(start: number, indent: number): string {
    const text = this.#text;
    const headEnd = this.#lineEnd(start);
    const head = text.slice(start, headEnd);
    const [, style, indicator, chomp] = /^([|>])([1-9]?)([-+]?)$/.exec(head) ?? unusual();
    if (style === '>' && indicator) unusual();
    const lines: string[] = [];
    let inner = indicator ? indent + Number(indicator) : -1;
    let longestBlank = 0;
    let from = headEnd + 1;
    for (;;) {
      let i = from;
      while (text.charCodeAt(i) === space) i++;
      const char = text.charCodeAt(i);
      if (Number.isNaN(char) && i > from) unusual();
      if (Number.isNaN(char)) break;
      const column = i - from;
      if (char === newline) {
        longestBlank = Math.max(longestBlank, inner < 0 ? column : 0);
        lines.push(inner >= 0 && column > inner ? text.slice(from + inner, i) : '');
        from = i + 1;
        continue;
      }
      if (inner < 0 && column > indent) {
        if (longestBlank > column || char === tab) unusual();
        inner = column;
      }
      if (inner < 0 || column < inner) {
        if (column > indent) unusual();
        break;
      }
      const eol = this.#lineEnd(i);
      lines.push(text.slice(from + inner, eol));
      from = eol + 1;
    }
    const end = Math.min(from, text.length);
    this.#next(from);
    if (style === '>') return String(asYamlReads(text.slice(start, end)));
    const ends = lines.findLastIndex((line) => line !== '') + 1;
    if (ends === 0) return chomp === '+' ? '\n'.repeat(lines.length) : '';
    // Only spaces: the rules that decide whether they are content are not implemented.
    if (lines.every((line) => !/[^ ]/.test(line))) unusual();
    // After an explicit indent, `yaml` reads a last line of spaces as empty.
    if (indicator && !/[^ ]/.test(lines[ends - 1] ?? '')) unusual();
    const value = lines.slice(0, ends).join('\n');
    if (chomp === '-') return value;
    return value + '\n'.repeat(chomp === '+' ? lines.length - ends + 1 : 1);
  }
}

const usualKey = /^[\w$./](?:[\w$./:()+@ -]*[\w$./:()+@-])?$/;
/** Characters that cannot begin a plain scalar. */
const neverPlain = /[,\]}#&*!%@`]/;

function isBlank(char: number): boolean {
  return char === space || char === newline || char === tab || Number.isNaN(char);
}

/** The value of a plain scalar by the core schema of YAML 1.2, as `yaml` reads it. */
function plainValue(text: string): unknown {
  if (!maybeNoText.test(text)) return text;
  if (/^[-+]?[0-9]+$/.test(text)) return Number.parseInt(text, 10);
  if (/^(?:~|[Nn]ull|NULL)$/.test(text)) return null;
  if (/^(?:[Tt]rue|TRUE)$/.test(text)) return true;
  if (/^(?:[Ff]alse|FALSE)$/.test(text)) return false;
  if (/^0o[0-7]+$/.test(text)) return Number.parseInt(text.slice(2), 8);
  if (/^0x[0-9a-fA-F]+$/.test(text)) return Number.parseInt(text.slice(2), 16);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number.parseFloat(text);
  if (/^(?:[-+]?\.(?:inf|Inf|INF)|\.nan|\.NaN|\.NAN)$/.test(text))
    return text.endsWith('f') || text.endsWith('F') ? (text.startsWith('-') ? -Infinity : Infinity) : Number.NaN;
  return text;
}
const maybeNoText = /^(?:[-+.0-9]|[Nn]|[TtFf][RrAa]|~$)/;

/** Folds a quoted scalar of several lines: a space joins lines, or a line feed for each empty line between them. */
function unfolded(text: string): string {
  const lines = text.split('\n');
  let value = trimmedEnd(lines[0] ?? '');
  let empty = 0;
  for (const line of lines.slice(1, -1)) {
    const content = trimmedEnd(trimmedStart(line));
    if (content === '') empty++;
    else {
      value += (empty > 0 ? '\n'.repeat(empty) : ' ') + content;
      empty = 0;
    }
  }
  return value + (empty > 0 ? '\n'.repeat(empty) : ' ') + trimmedStart(lines.at(-1) ?? '');
}
/** No other white space is any in YAML. */
function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === space) end--;
  return text.slice(0, end);
}
const trimmedStart = (text: string) => text.replace(/^[ \t]+/, '');
const trimmedEnd = (text: string) => text.replace(/(?<![ \t])[ \t]+$/, '');

/** Longest piece in characters that the package reads, because it takes forty times the memory of a text. A file with a larger one is read as any other YAML. */
const longestPiece = 4 * 1024 ** 2;

/** The value of a piece of YAML without references to the rest, read by the package. */
function asYamlReads(piece: string): unknown {
  if (piece.length > longestPiece) unusual();
  const document = parseDocument(piece, { prettyErrors: false, uniqueKeys: false });
  return document.errors.length > 0 ? unusual() : document.toJS();
}
