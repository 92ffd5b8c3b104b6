import { goPattern } from './go-pattern.ts';

/** A pattern of interface names from the cluster. */
export type InterfacePattern =
  | { kind: 'usable'; matches: (name: string) => boolean }
  | { kind: 'broken'; because: string };

/** IFNAMSIZ without its NUL. A longer name is of no interface, whoever reports it. */
const longestName = 15;

/** Reads a pattern as Felix does. */
export function interfacePattern(value: unknown): InterfacePattern {
  if (typeof value !== 'string') return { kind: 'broken', because: 'it is not text' };
  const pattern = goPattern(value);
  if (pattern === null) return { kind: 'broken', because: 'it is not a regular expression that Felix can use' };
  return { kind: 'usable', matches: (name) => name.length <= longestName && pattern.test(name) };
}
