import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { InputError } from './input-error.ts';
import { type ParsedDocument, parseUsualYaml } from './usual-yaml.ts';

const mebibyte = 1024 * 1024;
/** YAML of any form takes some thirty times its size in memory while it is parsed; in the form that kubectl writes it takes what JSON does. */
const largest = { anyYaml: 50 * mebibyte, usual: 450 * mebibyte };
/** kubectl writes no aliases at all; what people write by hand needs a few. */
const maxAliases = 100;
const maxDepth = 200;

/** The documents of a dump's file: JSON where it is JSON, else YAML. Throws an InputError that names the line. */
export function parseDocuments(file: string, text: string): ParsedDocument[] {
  const json = /\.json$/i.test(file);
  // A character is three bytes at the most: a file that is far from its limit need not be gone through for its size.
  const isWithin = (limit: number) => text.length * 3 <= limit || Buffer.byteLength(text) <= limit;
  if (!isWithin(largest.usual)) refuseTooLarge(file, Buffer.byteLength(text));
  const documents =
    (json || /^\s*[[{]/.test(text.slice(0, 1000)) ? parseJson(file, text, json ? 'only-json' : 'maybe-yaml') : null) ??
    parseUsualYaml(text);
  if (documents === null && !isWithin(largest.anyYaml))
    throw tooLarge(
      file,
      Buffer.byteLength(text),
      largest.anyYaml,
      ' of YAML that kubectl does not write so (as JSON, more)',
    );
  const read = documents ?? parseYaml(file, text);
  for (const { value, line } of read) {
    if (typeof value === 'object' && value !== null && isDeeperThan(value, maxDepth))
      throw new InputError(file, line, `it is nested deeper than ${maxDepth} levels`);
  }
  return read;
}

/** Of `size` bytes, before they are read. */
export function refuseTooLarge(file: string, size: number): void {
  if (size > largest.usual) throw tooLarge(file, size, largest.usual, '');
}

function tooLarge(file: string, size: number, limit: number, besides: string): InputError {
  const told = `it has ${Math.round(size / mebibyte)} MiB; at most ${limit / mebibyte} MiB are read${besides}`;
  return new InputError(file, null, told);
}

function parseJson(file: string, text: string, kind: 'only-json' | 'maybe-yaml'): ParsedDocument[] | null {
  if (kind === 'only-json' && text.trim() === '') return [];
  try {
    return [{ value: JSON.parse(text.replace(/^\uFEFF/, '')), line: 1 }];
  } catch (error) {
    if (kind === 'maybe-yaml') return null;
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? text.split('\n').length : lineAt(text, Number(position));
    throw new InputError(
      file,
      line,
      `it is no JSON: ${message.replace(/,? ?(\.\.\.)?"[\s\S]*$/, '').replace(/ \(line.*$/, '')}`,
      error,
    );
  }
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function parseYaml(file: string, text: string): ParsedDocument[] {
  const lines = new LineCounter();
  let documents: Document[];
  try {
    // Keys are not compared with each other: that takes the square of their number, and the last one wins as in JSON.
    documents = [
      ...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false }),
    ] as Document[];
  } catch (error) {
    throw new InputError(file, null, error instanceof RangeError ? 'it is nested too deeply' : 'it is no YAML', error);
  }
  return documents.map((document) => {
    const start = document.contents?.range?.[0] ?? document.range?.[0] ?? 0;
    const { line } = lines.linePos(start);
    const [problem] = document.errors;
    if (problem)
      throw new InputError(file, lines.linePos(problem.pos[0]).line, `it is no YAML: ${problem.message}`, problem);
    try {
      return { value: document.toJS({ maxAliasCount: maxAliases }) as unknown, line };
    } catch (error) {
      const because =
        error instanceof RangeError
          ? 'it is nested too deeply'
          : `its aliases cannot be expanded (more than ${maxAliases}, or one that names nothing)`;
      throw new InputError(file, line, because, error);
    }
  });
}

/**
 * Also true of what contains itself. Plain loops, an index and no iterator, and no call for what holds nothing: it sees every value of a dump, and
 * must cost little beside parsing it.
 */
function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const item: unknown = value[at];
      if (typeof item === 'object' && item !== null && isDeeperThan(item, levels - 1)) return true;
    }
    return false;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const member = fields[name];
    if (typeof member === 'object' && member !== null && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}
