/** A refused stream or download, in the form of an action's Failure. */
export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ ok: false, code, message }, { status, headers: { 'Cache-Control': 'no-store' } });
}
