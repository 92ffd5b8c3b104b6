/** Shortest interval of announcements to screen readers (reference › ui.md D4, 4.1.3). */
export const everyMs = 5_000;

export type Announcement = { text: string; at: number };

/**
 * The text of a live region now, and when to look again (ms from now; null: when the text changes). A sentence that differs only in a duration is not announced
 * again, because "12 s ago" changes every second. Pure.
 */
export function announcement(
  last: Announcement,
  text: string,
  nowMs: number,
): { say: Announcement | null; againInMs: number | null } {
  if (text === '' || withoutTimes(text) === withoutTimes(last.text)) return { say: null, againInMs: null };
  const waitMs = last.at + everyMs - nowMs;
  if (waitMs > 0) return { say: null, againInMs: waitMs };
  return { say: { text, at: nowMs }, againInMs: null };
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\b\d+ (s|m|h|seconds?|minutes?|hours?|days?)\b/g, '#');
}
