import { type Gate, inRange, releaseAtLeast, type VersionRange } from '#lib/spec/index.ts';

/**
 * What a gate says of a release. T: of the release itself. K: of it on some kernels or Kubernetes versions. C: of an upgrade that ends at it and
 * begins before the gate. F: of an upgrade that begins at it. ?: the numbers do not decide.
 */
export type GateLetter = 'T' | 'K' | 'C' | 'F' | '?';

/** One row a release, one cell a gate: several letters, or none. A gate whose condition is no matter of releases has empty cells. */
export function gateMatrix(
  gates: readonly Gate[],
  releases: readonly string[],
): readonly { readonly release: string; readonly cells: readonly (readonly GateLetter[])[] }[] {
  return releases.map((release) => ({ release, cells: gates.map((gate) => lettersOf(gate, release)) }));
}

function lettersOf(gate: Gate, release: string): readonly GateLetter[] {
  const from = gate.fromRelease === undefined ? 'no' : inAny(release, gate.fromRelease);
  const to = towards(gate, release);
  const letter: GateLetter = arrives(gate) ? 'C' : gate.kernel || gate.kubernetes ? 'K' : 'T';
  if (from === 'undecided' || to === 'undecided') return ['?'];
  return [...(from === 'yes' ? (['F'] as const) : []), ...(to === 'yes' ? [letter] : [])];
}

/** An upgrade from elsewhere is part of the condition. */
function arrives(gate: Gate): boolean {
  return gate.crosses !== undefined || gate.fromRelease !== undefined;
}

function towards(gate: Gate, release: string): 'yes' | 'no' | 'undecided' {
  if (gate.crosses !== undefined) return releaseAtLeast(release, gate.crosses);
  return gate.toRelease === undefined ? 'no' : inAny(release, gate.toRelease);
}

function inAny(release: string, ranges: readonly VersionRange[]): 'yes' | 'no' | 'undecided' {
  const answers = ranges.map((range) => inRange(release, range));
  if (answers.includes('yes')) return 'yes';
  return answers.includes('undecided') ? 'undecided' : 'no';
}
