/** The page to open after a sign-in: always one of this console. Browsers read `//host` and `/\host` as other sites. */
export function safeReturnPath(to: string | string[] | undefined): string {
  if (typeof to !== 'string' || to.length > 1000) return '/';
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to)) return '/';
  return /^\/(sign-in|sign-out|api)(?=[/?#]|$)/.test(to) ? '/' : to;
}
