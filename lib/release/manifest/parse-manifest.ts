import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type ScalarTag,
} from 'yaml';
import type { ManifestObject } from '#lib/spec/index.ts';
import { parseApiVersion } from '#lib/spec/index.ts';
import { ReleaseError } from '../release-error.ts';
import { toManifestObject } from './manifest-object.ts';

/** Most nesting levels; the deepest file so far, operator-crds.yaml, has some sixty. */
const maxDepth = 200;

/**
 * The objects of a release's file, in its order. The file is untrusted. Refused are aliases (no release has any), repeated fields, more levels than `maxDepth`,
 * values that kubectl would read differently, and repeated objects.
 *
 * Yields to the event loop between documents, because the largest file takes a second or two and a console must stay responsive.
 *
 * @param where The file's name in errors: `operator-crds.yaml of v3.31.4 in /srv/calico`.
 * @throws ReleaseError `release.invalid` with the line, `release.aborted`.
 */
export async function parseManifest(where: string, bytes: Uint8Array, signal: AbortSignal): Promise<ManifestObject[]> {
  const lines = new LineCounter();
  const refuse = (offset: number, because: string, cause?: unknown) =>
    new ReleaseError(
      'release.invalid',
      `${where}, line ${lines.linePos(offset).line}: ${because}. Nothing of it was used.`,
      cause,
    );
  const text = decode(where, bytes);
  const objects: ManifestObject[] = [];
  const seen = new Set<string>();
  try {
    for await (const document of documentsOf(where, text, lines, signal)) {
      const [problem] = [...document.errors, ...document.warnings];
      if (problem) throw refuse(problem.pos[0], `it is not YAML as a release has it: ${problem.message}`, problem);
      const { contents } = document;
      if (contents === null || (isScalar(contents) && contents.value === null)) continue;
      const start = contents.range?.[0] ?? 0;
      const fault = faultOf(contents, 0);
      if (fault) throw refuse(fault.offset, fault.because);
      const read = toManifestObject(document.toJS());
      if ('fault' in read) throw refuse(start, read.fault);
      const { object } = read;
      const id = identity(object);
      if (seen.has(id)) throw refuse(start, `${id} stands in it twice`);
      seen.add(id);
      objects.push(object);
    }
  } catch (error) {
    if (error instanceof ReleaseError) throw error;
    // The parser is recursive; a file of brackets overflows its stack.
    if (error instanceof RangeError) throw new ReleaseError('release.invalid', tooDeep(where), error);
    throw error;
  }
  if (objects.length === 0) throw new ReleaseError('release.invalid', `${where} holds no object at all.`);
  return objects;
}

/** Tokens of YAML between two yields: some tens of milliseconds. */
const wordsPerTurn = 20_000;

/** The documents of a text one after the other, so that parsing ends at the first error and does not block the process. */
async function* documentsOf(
  where: string,
  text: string,
  lines: LineCounter,
  signal: AbortSignal,
): AsyncGenerator<Document.Parsed> {
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({
    uniqueKeys: false,
    schema: 'core',
    version: '1.2',
    customTags: (tags) => [octal, ...tags],
  });
  let words = 0;
  lines.addNewLine(0);
  for (const word of new Lexer().lex(text)) {
    for (const token of parser.next(word)) yield* composer.next(token);
    // Checked while parsing, before a tree is built. Each level has a node and its pair on the stack.
    if (parser.stack.length > 2 * maxDepth) throw new ReleaseError('release.invalid', tooDeep(where));
    if (++words % wordsPerTurn === 0) {
      await nextTurn();
      if (signal.aborted) throw new ReleaseError('release.aborted', `Reading ${where} was given up.`, signal.reason);
    }
  }
  for (const token of parser.end()) yield* composer.next(token);
  yield* composer.end();
}

/** `Deployment tigera-operator in namespace tigera-operator`, in sentences. */
function identity({ apiVersion, kind, metadata }: ManifestObject): string {
  const { group } = parseApiVersion(apiVersion);
  return `${group === '' ? '' : `${group} `}${kind} ${metadata.name}${metadata.namespace === undefined ? '' : ` in namespace ${metadata.namespace}`}`;
}

const tooDeep = (where: string) => `${where} is nested deeper than ${maxDepth} levels. Nothing of it was used.`;

function decode(where: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ReleaseError('release.invalid', `${where} is not UTF-8 text. Nothing of it was used.`, error);
  }
}

type NodeFault = { readonly offset: number; readonly because: string };

/** File modes such as `0400` in OpenShift's bundle: kubectl reads YAML 1.1, where this is 256; in YAML 1.2 it would be 400. */
const octal: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  test: /^0[0-7]+$/,
  resolve: (text) => Number.parseInt(text, 8),
};

/** Other values that YAML 1.1 and 1.2 or their parsers read differently; no published file has one, so they are refused. */
const readDifferently = /^(?:yes|no|on|off|y|n|[-+]?0[0-9]*[89][0-9]*|[-+]0[0-7]+|[-+]?[0-9]+(?:_[0-9]+)+)$/i;

function faultOf(node: Node, depth: number): NodeFault | null {
  const offset = node.range?.[0] ?? 0;
  if (depth > maxDepth) return { offset, because: `it is nested deeper than ${maxDepth} levels` };
  if (isAlias(node)) return { offset, because: `*${node.source} is an alias, and no release has any` };
  if (isScalar(node))
    return node.type === 'PLAIN' && readDifferently.test(node.source ?? '')
      ? { offset, because: `${node.source} is read in two ways; it needs quotes, or to be written out` }
      : null;
  if (isSeq<Node>(node)) {
    for (const item of node.items) {
      const fault = faultOf(item, depth + 1);
      if (fault) return fault;
    }
    return null;
  }
  if (!isMap<Node, Node | null>(node))
    return { offset, because: 'it holds what is neither a value, a list nor fields' };
  const names = new Set<string>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : null;
    const at = key.range?.[0] ?? offset;
    if (name === null || name === '__proto__') return { offset: at, because: 'it has a field without a proper name' };
    if (names.has(name)) return { offset: at, because: `the field ${name} stands there twice` };
    names.add(name);
    const fault = value === null ? null : faultOf(value, depth + 1);
    if (fault) return fault;
  }
  return null;
}
