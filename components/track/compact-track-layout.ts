import { inLines } from './in-lines.ts';
import type { SignalState } from './signal-words.ts';

/** The parts of a plan as people name them. */
export type TrackGroup = 'Prepare' | 'Switch' | 'Clean up' | 'Verify';

/**
 * One step as the picture needs it. `traffic`: it touches traffic, so it stands taller and has a name. `state`: of a run; a plan's steps have none but for those that are done already.
 * `seconds`: what it usually takes, and in a run what it took, or has taken so far; null: not begun.
 */
export type CompactStep = {
  seq: number;
  id: string;
  title: string;
  traffic: boolean;
  seconds: number | null;
  state?: SignalState;
};

export type PlacedPost = CompactStep & { x: number; lines: string[] };

export type PlacedGroup = { name: TrackGroup; from: number; to: number; seconds: number | null };

export type CompactFrame = {
  width: number;
  /** Room before the first post and behind the last. */
  edge: number;
  /** Room between two groups, in posts. */
  gap: number;
};

export const compactFrames = {
  wide: { width: 1136, edge: 26, gap: 0.4 },
  broad: { width: 1440, edge: 26, gap: 0.4 },
  narrow: { width: 326, edge: 12, gap: 0.4 },
} as const satisfies Record<string, CompactFrame>;

/** px of 12 px text, on average. */
const characterWidth = 6.6;

/**
 * Prepare until the first step that touches traffic, switch until the last one, then clean up; what only looks whether all is well is verify. A plan
 * without traffic is all preparation.
 */
export function groupsOf(steps: readonly CompactStep[]): { name: TrackGroup; steps: readonly CompactStep[] }[] {
  const first = steps.findIndex(({ traffic }) => traffic);
  // An upgrade's nodes move while it waits for them.
  const last = steps.findLastIndex(({ id, traffic }) => traffic || (first >= 0 && id === 'release.active'));
  const groupOf = ({ id, traffic }: CompactStep, index: number): TrackGroup => {
    if (id.startsWith('verify.') && !traffic) return 'Verify';
    if (first < 0 || index < first) return 'Prepare';
    return index <= last ? 'Switch' : 'Clean up';
  };
  return [...Map.groupBy(steps, (step) => groupOf(step, steps.indexOf(step)))].map(([name, of]) => ({
    name,
    steps: of,
  }));
}

/** Where each post stands, all in one line. Pure. */
export function layCompactTrack(
  steps: readonly CompactStep[],
  { width, edge, gap }: CompactFrame,
): { posts: PlacedPost[]; groups: PlacedGroup[] } {
  const groups = groupsOf(steps);
  const places = Math.max(1, steps.length - 1 + gap * Math.max(0, groups.length - 1));
  const pitch = (width - 2 * edge) / places;
  const placed = groups.flatMap(({ steps: of }, group) => of.map((step) => ({ step, group })));
  const at = placed.map(({ step, group }, index) => ({ ...step, x: edge + pitch * (index + gap * group) }));
  const posts = at.map((post) => {
    const next = at.find(({ traffic, x }) => traffic && x > post.x)?.x ?? width;
    return {
      ...post,
      lines: post.traffic ? inLines(post.title, Math.floor((next - post.x - 22) / characterWidth), 2) : [],
    };
  });
  return {
    posts,
    groups: groups.map(({ name, steps: of }) => {
      const own = posts.filter(({ seq }) => of.some((step) => step.seq === seq));
      return {
        name,
        from: (own[0]?.x ?? 0) - 4,
        to: (own.at(-1)?.x ?? 0) + 4,
        seconds: sumOf(of),
      };
    }),
  };
}

/** Null where nothing is known yet. */
function sumOf(steps: readonly CompactStep[]): number | null {
  const known = steps.flatMap(({ seconds }) => seconds ?? []);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0);
}
