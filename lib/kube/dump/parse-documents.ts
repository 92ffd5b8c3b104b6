import { type Document, LineCounter, parseAllDocuments } from 'yaml';
import { messageOf } from '#lib/base/message-of.ts';
import { InputError } from './input-error.ts';
import { type ParsedDocument, parseUsualYaml } from './usual-yaml.ts';

const mebibyte = 1024 * 1024;
/** Bytes of a file. Parsing takes some thirty times its size in memory for any YAML, and as little as JSON for YAML as kubectl writes it (`usual`). */
const largest = { anyYaml: 50 * mebibyte, usual: 450 * mebibyte };
/** Aliases in a document. kubectl writes none and people few; many could expand without end. */
const maxAliases = 100;
const maxDepth = 200;

/** The documents of a file, as JSON, else as YAML. Throws an InputError that names the line. */
export function parseDocuments(file: string, text: string): ParsedDocument[] {
  const json = /\.json$/i.test(file);
  // A UTF-16 unit is three bytes of UTF-8 at the most, so the bytes of small texts need not be counted.
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

/** Throws an InputError for a file of too many bytes, before it is read. */
export function refuseTooLarge(file: string, size: number): void {
  if (size > largest.usual) throw tooLarge(file, size, largest.usual, '');
}

function tooLarge(file: string, size: number, limit: number, besides: string): InputError {
  const problem = `it has ${Math.round(size / mebibyte)} MiB; at most ${limit / mebibyte} MiB are read${besides}`;
  return new InputError(file, null, problem);
}

function parseJson(file: string, text: string, kind: 'only-json' | 'maybe-yaml'): ParsedDocument[] | null {
  if (kind === 'only-json' && text.trim() === '') return [];
  try {
    return [{ value: JSON.parse(text.replace(/^\uFEFF/, '')), line: 1 }];
  } catch (error) {
    if (kind === 'maybe-yaml') return null;
    const message = messageOf(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const line = position === undefined ? text.split('\n').length : lineAt(text, Number(position));
    throw new InputError(
      file,
      line,
      `it is not JSON: ${message.replace(/,? ?(\.\.\.)?"[\s\S]*$/, '').replace(/ \(line.*$/, '')}`,
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
    // Keys are not checked for duplicates, which takes quadratic time; the last one wins, as in JSON.
    documents = [
      ...parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false }),
    ] as Document[];
  } catch (error) {
    throw new InputError(file, null, error instanceof RangeError ? 'it is nested too deeply' : 'it is not YAML', error);
  }
  return documents.map((document) => {
    const start = document.contents?.range?.[0] ?? document.range?.[0] ?? 0;
    const { line } = lines.linePos(start);
    const [problem] = document.errors;
    if (problem)
      throw new InputError(file, lines.linePos(problem.pos[0]).line, `it is not YAML: ${problem.message}`, problem);
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
 * Whether a value is nested deeper than `levels`; true also for one that contains itself. Written with plain loops, since it sees every value of a dump and
 * must be cheap beside parsing.
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
