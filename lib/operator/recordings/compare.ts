import type { Row, Step } from './row.ts';

/** A field whose difference is known, and the reason why the operator does not cause it. */
export type Exception = { mark: string; object: string; field: string; because: string };

/** Rows at least this far apart must keep their order. Closer rows count as simultaneous. */
const breathSeconds = 1;

/** A replayed row may come after twice the recorded time and these seconds. */
const slackSeconds = 6;

const nameOf = (row: Row) => `${row[1]} ${row[2]}`;

/** The differences between a replay and the recording, in values, order and pace. Empty: they agree. */
export function differences(
  recorded: readonly Step[],
  replayed: readonly Step[],
  exceptions: readonly Exception[] = [],
): string[] {
  return recorded.flatMap((step, index) => {
    const excepted = (row: Row) =>
      exceptions.some((one) => one.mark === step.mark && one.object === row[1] && one.field === row[2]);
    const expected = step.rows.filter((row) => !excepted(row));
    const found = (replayed[index]?.rows ?? []).filter((row) => !excepted(row));
    return [...values(expected, found), ...order(expected, found), ...pace(expected, found)].map(
      (words) => `after "${step.mark}": ${words}`,
    );
  });
}

function byField(rows: readonly Row[]): Map<string, Row[]> {
  const fields = new Map<string, Row[]>();
  for (const row of rows) fields.set(nameOf(row), [...(fields.get(nameOf(row)) ?? []), row]);
  return fields;
}

function values(expected: readonly Row[], found: readonly Row[]): string[] {
  const [theirs, ours] = [byField(expected), byField(found)];
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((field) => {
    const want = (theirs.get(field) ?? []).map((row) => row[3]).join(' → ');
    const got = (ours.get(field) ?? []).map((row) => row[3]).join(' → ');
    return want === got ? [] : [`${field} is ${got || 'unchanged'}, recorded: ${want || 'unchanged'}`];
  });
}

/** Pairs each recorded row with a replayed one: the n-th of a field with the n-th. */
function paired(expected: readonly Row[], found: readonly Row[]): { want: Row; got: Row }[] {
  const ours = byField(found);
  const used = new Map<string, number>();
  return expected.flatMap((want) => {
    const nth = used.get(nameOf(want)) ?? 0;
    used.set(nameOf(want), nth + 1);
    const got = ours.get(nameOf(want))?.[nth];
    return got ? [{ want, got }] : [];
  });
}

function order(expected: readonly Row[], found: readonly Row[]): string[] {
  const pairs = paired(expected, found);
  return pairs.flatMap((first) =>
    pairs
      .filter((later) => later.want[0] - first.want[0] >= breathSeconds && later.got[0] < first.got[0])
      .map(
        (later) =>
          `${nameOf(later.want)} = ${later.want[3]} comes before ${nameOf(first.want)} = ${first.want[3]}, recorded: ${later.want[0] - first.want[0]} s after it`,
      ),
  );
}

function pace(expected: readonly Row[], found: readonly Row[]): string[] {
  return paired(expected, found)
    .filter(({ want, got }) => got[0] > want[0] * 2 + slackSeconds)
    .map(({ want, got }) => `${nameOf(want)} = ${want[3]} takes ${got[0]} s, recorded: ${want[0]} s`);
}
