import type { Dialect, KeyPart } from '../dialect.ts';
import { everyRowIn, type KeptTable } from '../schema.ts';

/** The tables of texts, in which each text is stored once (schema.ts). */
const standsIn: Readonly<Record<KeyPart, KeptTable>> = {
  from: 'ends',
  to: 'ends',
  service: 'services',
  policies: 'policies',
};

/** What DuckDB says differently from other databases. */
export const dialect: Dialect = {
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  matches: (column) => `regexp_matches(${column}, ?)`,
  column: (_of, text) => text,
  among: (of, { text, values }) => ({
    text: `${of}_id IN (SELECT id FROM ${standsIn[of]} WHERE ${text})`,
    values,
  }),
  rows: everyRowIn,
  keys: { text: 'keys', values: [] },
  // `summed` already contains the list, and a hash join filters by it.
  keysAmong: () => ({ text: 'keys', values: [] }),
  rest: {
    columns: `k.tail AS tail, '{"protocol":' || to_json(k.protocol) || ',"from":' || f.told || ',"to":' || t.told || ',"service":' || coalesce(v.told, 'null') || ',"policies":' || p.told || '}' AS rest`,
    joins:
      'JOIN ends f ON f.id = k.from_id JOIN ends t ON t.id = k.to_id LEFT JOIN services v ON v.id = k.service_id JOIN policies p ON p.id = k.policies_id',
  },
};
