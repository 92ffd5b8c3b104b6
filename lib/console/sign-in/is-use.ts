/**
 * Whether a request shows that a person uses the session, which restarts its idle limit of two hours: opening a page, and every POST. Streams and fetches of
 * the router do not count, because a hidden tab has them too. A visible page posts `/seen` every few minutes (components/frame/visibility-reporter.tsx), so that watching a
 * run for three hours keeps the session and a hidden tab does not.
 */
export function isUse({
  method,
  target = '',
  isRouter,
}: {
  method: string | undefined;
  target: string | undefined;
  isRouter: boolean;
}): boolean {
  if (method === 'POST') return true;
  return method === 'GET' && !isRouter && !/^\/(api|_next)\//.test(target);
}
