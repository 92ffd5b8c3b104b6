import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  visit,
} from 'yaml';
import { isRecord } from '#lib/base/records.ts';
import { withStop } from '#lib/base/words.ts';
import type { Path } from './problem.ts';

/** Offsets in the text, `to` exclusive; line and column count from 1. */
type TextRange = { readonly from: number; readonly to: number; readonly line: number; readonly column: number };

/** Why a text is no Installation, with the place. `sentence` includes the line. */
type DocumentProblem = TextRange & { readonly words: string; readonly sentence: string };

type InstallationDocument = {
  readonly spec: Readonly<Record<string, unknown>>;
  /** The place of a field of `spec`, or of its innermost existing parent. */
  rangeOf(path: Path): TextRange;
};

export type ReadDocument =
  | { readonly ok: true; readonly document: InstallationDocument }
  | { readonly ok: false; readonly problems: readonly [DocumentProblem, ...DocumentProblem[]] };

/** Several times the longest Installation. Limited, because the browser parses it at every keystroke. */
const limitChars = 128 * 1024;
const limitDepth = 40;

/**
 * Parses the YAML of one Installation. The text is untrusted: its size and depth are limited, and aliases, tags and repeated keys are refused, so that it means
 * what a reader sees.
 */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  const range = (from: number, to: number): TextRange => {
    const { line, col } = lines.linePos(Math.min(from, text.length));
    return { from, to: Math.max(to, from), line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const bad = (words: string, from = 0, to = from): DocumentProblem => {
    const at = range(from, to);
    return { ...at, words, sentence: `Line ${at.line}: ${words}` };
  };
  const refuse = (first: DocumentProblem, ...others: DocumentProblem[]): ReadDocument => ({
    ok: false,
    problems: [first, ...others],
  });

  if (text.length > limitChars)
    return refuse(bad(`the text has ${text.length} characters; ${limitChars} are possible.`));
  const parsed = parsedSafely(text, lines);
  if (parsed === null) return refuse(bad(`more than ${limitDepth} levels lie in each other.`));
  const documents = parsed.filter((document) => document.contents !== null || document.errors.length > 0);
  const [document, second] = documents;
  if (document === undefined) return refuse(bad('there is nothing here; an Installation is needed.', 0, text.length));
  const faults = [...document.errors, ...document.warnings].map(({ message, pos: [from, to] }) =>
    bad(wordsOf(message), from, to),
  );
  const [fault, ...more] = [...faults, ...forbidden(document, bad)];
  if (fault) return refuse(fault, ...more);
  if (second)
    return refuse(
      bad(
        `${documents.length} documents are here; one Installation is needed. What else belongs to the release comes from its own file.`,
        second.range?.[0] ?? 0,
        second.range?.[1],
      ),
    );
  const found = installationIn(document, bad);
  if ('words' in found) return refuse(found);
  const { spec, node } = found;
  return { ok: true, document: { spec, rangeOf: (path) => rangeOf(node, path, range, text.length) } };
}

function parsedSafely(text: string, lines: LineCounter): readonly Document.Parsed[] | null {
  if (deepest(text) > limitDepth) return null;
  try {
    const documents = parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      version: '1.2',
      merge: false,
    });
    return 'empty' in documents ? [] : documents;
  } catch {
    // The parser is recursive.
    return null;
  }
}

/** Upper bound of the nesting, from brackets and indentation, computed without recursion. */
function deepest(text: string): number {
  let open = 0;
  let most = 0;
  for (const letter of text) {
    if (letter === '[' || letter === '{') most = Math.max(most, ++open);
    else if (letter === ']' || letter === '}') open = Math.max(0, open - 1);
  }
  const dashes = [...text.matchAll(/^[ \t]*(?:[-?:][ \t]+){2,}/gm)].map(([line]) => line.split(/[ \t]+/).length);
  const indents = [...text.matchAll(/^ *(?=\S)/gm)].map(([indent]) => indent.length);
  return Math.max(most, distinct(indents), ...dashes.slice(0, 1_000));
}

/** Number of indentations that are deeper than their parent's. */
function distinct(indents: readonly number[]): number {
  return new Set(indents).size;
}

function forbidden(document: Document.Parsed, bad: Bad): DocumentProblem[] {
  const found: DocumentProblem[] = [];
  const say = (node: Node, words: string) => found.push(bad(words, node.range?.[0] ?? 0, node.range?.[1]));
  visit(document, {
    Alias: (_key, node) => void say(node, 'an alias is not possible here; write the value out.'),
    Node: (_key, node) => {
      if (!isAlias(node) && node.anchor !== undefined) say(node, 'an anchor is not possible here.');
      else if (node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:'))
        say(node, 'a tag is not possible here.');
      if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
        say(node, `${String(node.source ?? node.value)} is not a number that Kubernetes knows.`);
    },
    Pair: (_key, pair) => {
      if (isNode(pair.key) && !isScalar(pair.key)) say(pair.key, 'a key must be text.');
    },
  });
  return found;
}

type Bad = (words: string, from?: number, to?: number) => DocumentProblem;

/** Fields that every Installation must have; the operator ignores another name (calico.md §2). */
const required = [
  { path: ['apiVersion'], value: 'operator.tigera.io/v1' },
  { path: ['kind'], value: 'Installation' },
  { path: ['metadata', 'name'], value: 'default' },
] as const;

function installationIn(
  document: Document.Parsed,
  bad: Bad,
): DocumentProblem | { spec: Readonly<Record<string, unknown>>; node: Node | null } {
  const { contents } = document;
  const at = (node: unknown, words: string) =>
    isNode(node) ? bad(words, node.range?.[0], node.range?.[1]) : bad(words, 0, 0);
  if (!isMap(contents)) return at(contents, 'an Installation is needed: apiVersion, kind, metadata and spec.');
  for (const { path, value } of required) {
    const node = document.getIn(path, true);
    const is = isScalar(node) ? node.value : undefined;
    if (is !== value)
      return at(
        isNode(node) ? node : contents.items[0]?.key,
        `${path.join('.')} ${is === undefined ? 'is missing' : `is ${JSON.stringify(is)}`}; ${value} is needed.`,
      );
  }
  const others = contents.items.filter(
    ({ key }) => isScalar(key) && !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(String(key.value)),
  );
  const [other] = others;
  if (other) return at(other.key, `${String(other.key)} is not a field of an Installation; its fields are below spec.`);
  const node = contents.get('spec', true);
  const spec: unknown = isNode(node) ? node.toJS(document) : {};
  if (spec === null) return { spec: {}, node: null };
  if (!isRecord(spec)) return at(node, 'spec must be a group of fields.');
  return { spec, node: isNode(node) ? node : null };
}

function rangeOf(
  spec: Node | null,
  path: Path,
  range: (from: number, to: number) => TextRange,
  length: number,
): TextRange {
  let node = spec;
  let key: Node | null = null;
  for (const step of path) {
    const pair = isMap(node)
      ? node.items.find((one) => isScalar(one.key) && String(one.key.value) === String(step))
      : null;
    const item = isSeq(node) && typeof step === 'number' ? node.items[step] : null;
    if (isPair(pair)) {
      key = isNode(pair.key) ? pair.key : null;
      node = isNode(pair.value) ? pair.value : null;
    } else if (isNode(item)) {
      key = null;
      node = item;
    } else break;
  }
  // Marks a scalar itself, but of a map or list only its key.
  const shown = isScalar(node) || key === null ? (node ?? key) : key;
  const [from, to] = shown?.range ?? [0, length];
  return range(from, isScalar(shown) ? to : Math.min(to, from + 1));
}

/** The parser's message without its decoration. */
function wordsOf(message: string): string {
  const line = message.split('\n')[0]?.trim() ?? '';
  const sentence = known.find(([shape]) => shape.test(line))?.[1];
  const words = sentence ?? `the YAML cannot be read: ${line.charAt(0).toLowerCase()}${line.slice(1)}`;
  return withStop(words);
}

const known: readonly (readonly [RegExp, string])[] = [
  [/Map keys must be unique/i, 'this key stands here twice'],
  [/Unresolved tag|tag handle/i, 'a tag is not possible here'],
  [/Unresolved alias/i, 'an alias is not possible here; write the value out'],
  [/Tabs are not allowed as indentation/i, 'a tab is not possible as indentation; spaces are'],
];
