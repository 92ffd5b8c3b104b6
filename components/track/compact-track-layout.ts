import { inLines } from './in-lines.ts';
import type { SignalState } from './signal-words.ts';

/** Groups of a plan's steps. */
export type TrackGroup = 'Prepare' | 'Switch' | 'Clean up' | 'Verify';

/**
 * A step for the picture. `traffic`: it touches traffic, so its post is taller and has a name. `state`: in a run; in a plan only for steps that are done already.
 * `seconds`: its usual duration, or in a run its duration so far; null: not started.
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
  /** Space before the first post and after the last. */
  edge: number;
  /** Space between two groups, in posts. */
  gap: number;
};

export const compactFrames = {
  wide: { width: 1136, edge: 26, gap: 0.4 },
  broad: { width: 1440, edge: 26, gap: 0.4 },
  broadest: { width: 1766, edge: 26, gap: 0.4 },
  narrow: { width: 326, edge: 12, gap: 0.4 },
} as const satisfies Record<string, CompactFrame>;

/** Average width of a character of 12 px text, in px. */
const characterWidth = 6.6;

/**
 * Groups steps: *Prepare* before the first step that touches traffic, *Switch* until the last one, then *Clean up*; steps that only check are *Verify*. A plan that
 * touches no traffic has only *Prepare*.
 */
export function groupsOf(steps: readonly CompactStep[]): { name: TrackGroup; steps: readonly CompactStep[] }[] {
  const first = steps.findIndex(({ traffic }) => traffic);
  // In an upgrade, nodes move while the run waits for them.
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

/** Positions of all posts in one line. Pure. */
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

/** The sum of durations; null if none is known, or not that of the step where the run stands: the others would be taken for the whole. */
function sumOf(steps: readonly CompactStep[]): number | null {
  if (steps.some(({ state, seconds }) => seconds === null && (state === 'train' || state === 'stopped'))) return null;
  const known = steps.flatMap(({ seconds }) => seconds ?? []);
  return known.length === 0 ? null : known.reduce((sum, seconds) => sum + seconds, 0);
}
