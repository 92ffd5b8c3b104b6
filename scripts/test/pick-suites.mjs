import { suites } from './suites.mjs';

export class WrongSuite extends Error {}

/** The named suites in the table's order; all suites if none is named. @param {readonly string[]} names */
export function pickSuites(names) {
  const known = suites.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new WrongSuite(
      `${unknown.map((name) => JSON.stringify(name)).join(', ')}: no such suite. There are ${known.join(', ')}: npm test -- unit`,
    );
  }
  return names.length === 0 ? suites : suites.filter(({ name }) => names.includes(name));
}
