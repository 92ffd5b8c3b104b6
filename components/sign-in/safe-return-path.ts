/** Where a sign-in leads to: a page of this console, whatever the address bar says. `//host` and `/\host` are other sites to a browser. */
export function safeReturnPath(to: string | string[] | undefined): string {
  if (typeof to !== 'string' || to.length > 1000) return '/';
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to)) return '/';
  return /^\/(sign-in|sign-out|api)(?=[/?#]|$)/.test(to) ? '/' : to;
}
