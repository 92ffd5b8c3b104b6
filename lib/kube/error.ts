import type { MissingRule } from '#lib/spec/index.ts';

/**
 * Why a call to a cluster did not do what was asked. Stable: they appear in events, JSON and scripts.
 *
 * - `unreachable` no connection (refused, no route, no such name, reset), after the retries that are safe
 * - `timeout` the deadline of this call passed
 * - `aborted` the caller's signal
 * - `tls` the server's certificate does not verify
 * - `unauthorized` 401, after one renewal of the credentials
 * - `credentials` no credentials can be had (exec plug-in failed, token file missing …)
 * - `forbidden` 403; `rule` says which rule is missing
 * - `not-found` 404 of an object that had to exist
 * - `not-served` the kind itself is not served (no such CRD, or a failing aggregated API)
 * - `already-exists` 409 on create
 * - `conflict` 409: resourceVersion, UID precondition, or fields owned by others (`conflicts`)
 * - `invalid` 400, 422: `fields` names them
 * - `expired` 410
 * - `too-many-requests` 429 beyond what was worth waiting for
 * - `server` 5xx
 * - `protocol` an answer that is not what the API promises
 * - `unsupported` this implementation of the port does not model it
 */
export type KubeErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'aborted'
  | 'tls'
  | 'unauthorized'
  | 'credentials'
  | 'forbidden'
  | 'not-found'
  | 'not-served'
  | 'already-exists'
  | 'conflict'
  | 'invalid'
  | 'expired'
  | 'too-many-requests'
  | 'server'
  | 'protocol'
  | 'unsupported';

export type { MissingRule };

/** One field of a server-side apply that another manager owns. */
export type FieldConflict = { manager: string; field: string };

export type KubeErrorDetail = {
  status?: number;
  rule?: MissingRule;
  /** 403 because the namespace is being deleted, so that nothing can be created in it (API conventions, cause `NamespaceTerminating`). */
  isNamespaceGoing?: true;
  conflicts?: FieldConflict[];
  fields?: { field: string; message: string }[];
  retryAfterMs?: number;
  /** Of a `timeout`: the passed limit was the one given to `connect`. Absent for limits of a single call, which no option changes. */
  limit?: 'connection';
  /** What an incomplete list of a dump lacks, as a phrase after `no KIND`. */
  lacks?: string;
};

/** `message` is a sentence for the user, without secrets; `cause` is for the log. */
export class KubeError extends Error {
  readonly code: KubeErrorCode;
  readonly detail: KubeErrorDetail;

  constructor(code: KubeErrorCode, message: string, detail: KubeErrorDetail = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'KubeError';
    this.code = code;
    this.detail = detail;
  }
}

/** Whether an error is a KubeError, with one of these codes if any are given. By name and not by class, since bundlers load a module twice (architecture.md › Processes). */
export function isKubeError<C extends KubeErrorCode = KubeErrorCode>(
  error: unknown,
  ...codes: C[]
): error is KubeError & { readonly code: C } {
  if (!(error instanceof Error) || error.name !== 'KubeError') return false;
  return codes.length === 0 || (codes as string[]).includes((error as KubeError).code);
}
