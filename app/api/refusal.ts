/** A refusal of a stream or a download: the same shape as a Failure of an action. */
export function refusal(status: number, code: string, message: string): Response {
  return Response.json({ ok: false, code, message }, { status, headers: { 'Cache-Control': 'no-store' } });
}
