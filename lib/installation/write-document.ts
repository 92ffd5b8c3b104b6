import {
  Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isRecord, same } from '#lib/base/records.ts';
import { readDocument } from './read-document.ts';

/**
 * The YAML of an Installation with this spec. Unchanged parts of `previous` keep their text with comments, order and unknown fields; only differing parts are
 * written anew. A previous text that is no Installation is ignored.
 */
export function writeDocument(spec: Readonly<Record<string, unknown>>, previous = ''): string {
  const wanted = asJson(spec);
  const read = readDocument(previous);
  if (!read.ok) return fresh(wanted);
  if (same(asJson(read.document.spec), wanted)) return previous;
  const document = parseDocument(previous);
  const { contents } = document;
  if (!isMap(contents)) return fresh(wanted);
  const node = contents.get('spec', true);
  document.set('spec', isNode(node) ? changed(document, node, wanted) : document.createNode(wanted));
  return document.toString({ lineWidth: 0 });
}

function fresh(spec: Json): string {
  return new Document({
    apiVersion: 'operator.tigera.io/v1',
    kind: 'Installation',
    metadata: { name: 'default' },
    spec,
  }).toString({ lineWidth: 0 });
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The node, changed in place if its type fits the value; otherwise a new one with its comments. */
function changed(document: Document, node: Node, wanted: Json): Node {
  if (same(asJson(node.toJS(document)), wanted)) return node;
  if (isMap(node) && isRecord(wanted)) return changedMap(document, node, wanted);
  if (isSeq(node) && isList(wanted)) return changedList(document, node, wanted);
  if (isScalar(node) && typeof node.value === typeof wanted && typeof wanted !== 'object') {
    node.value = wanted;
    delete node.source;
    return node;
  }
  const made = document.createNode(wanted);
  if (!isNode(made)) return node;
  made.commentBefore = node.commentBefore ?? null;
  made.comment = node.comment ?? null;
  made.spaceBefore = node.spaceBefore ?? false;
  return made;
}

function changedMap(document: Document, map: YAMLMap, wanted: { readonly [key: string]: Json }): Node {
  const keyOf = ({ key }: Pair) => String(isScalar(key) ? key.value : key);
  if (map.items.length === 0) map.flow = false;
  map.items = map.items.filter((pair) => Object.hasOwn(wanted, keyOf(pair)));
  const there = new Set(map.items.map(keyOf));
  for (const pair of map.items) {
    const value = wanted[keyOf(pair)] ?? null;
    pair.value = isNode(pair.value) ? changed(document, pair.value, value) : document.createNode(value);
  }
  for (const [key, value] of Object.entries(wanted))
    if (!there.has(key)) map.items.push(document.createPair(key, value));
  return map;
}

/** Changes a list. An entry that moves keeps its node and comments; it is recognised by name, or else by value, or else by position. */
function changedList(document: Document, list: YAMLSeq, wanted: readonly Json[]): Node {
  const old = list.items.filter(isNode).map((node) => ({ node, value: asJson(node.toJS(document)), isTaken: false }));
  if (list.items.length === 0) list.flow = false;
  const take = (fits: (value: Json, index: number) => boolean): Node | null => {
    const found = old.find(({ value, isTaken }, index) => !isTaken && fits(value, index));
    if (!found) return null;
    found.isTaken = true;
    return found.node;
  };
  const byIdentity = wanted.map((value) =>
    take((one) => (nameOf(value) === undefined ? same(one, value) : nameOf(one) === nameOf(value))),
  );
  list.items = wanted.map((value, index) => {
    const node = byIdentity[index] ?? (wanted.length === old.length ? take((_one, at) => at === index) : null);
    return node ? changed(document, node, value) : document.createNode(value);
  });
  return list;
}

function nameOf(value: Json): Json | undefined {
  return isRecord(value) ? value.name : undefined;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value as sent to the API: without fields that are undefined. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
