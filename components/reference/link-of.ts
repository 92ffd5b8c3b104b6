/** Where a source can be read: a page by its own address, a thread of a repository by its number. Null where it has no address. */
export function linkOf(source: string): string | null {
  if (/^https:\/\/[^\s,]+$/.test(source)) return source;
  const thread = /^([\w.-]+\/[\w.-]+)#(\d+)\b/.exec(source);
  return thread === null ? null : `https://github.com/${thread[1]}/issues/${thread[2]}`;
}
