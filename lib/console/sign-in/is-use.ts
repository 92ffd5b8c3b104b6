/**
 * Which requests show that a person uses a session, so that its two idle hours begin anew: a page that is opened, and whatever is posted. Streams
 * and what the router fetches do not: a tab that nobody looks at keeps its stream open, and draws itself anew when something happens in the cluster.
 * A page that is in front of somebody posts `/seen` every few minutes instead (components/frame/seen.tsx): the run that somebody watches for three
 * hours does not go blank, and one in a hidden tab keeps nobody signed in.
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
