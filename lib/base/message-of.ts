/** What an error says; whatever else was thrown, as text. It may hold secrets or several lines: who shows it masks and folds it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
