import { isKubeError, type KubeError, type KubeErrorCode } from '#lib/kube/index.ts';
import type { Target } from './target.ts';

/** The HTTP status and `reason` of each code (apimachinery pkg/api/errors). Codes that no API server has are server errors here. */
const answers: Partial<Record<KubeErrorCode, { status: number; reason: string }>> = {
  unauthorized: { status: 401, reason: 'Unauthorized' },
  forbidden: { status: 403, reason: 'Forbidden' },
  'not-found': { status: 404, reason: 'NotFound' },
  'not-served': { status: 404, reason: 'NotFound' },
  unsupported: { status: 405, reason: 'MethodNotAllowed' },
  'already-exists': { status: 409, reason: 'AlreadyExists' },
  conflict: { status: 409, reason: 'Conflict' },
  expired: { status: 410, reason: 'Expired' },
  invalid: { status: 422, reason: 'Invalid' },
  'too-many-requests': { status: 429, reason: 'TooManyRequests' },
  unreachable: { status: 503, reason: 'ServiceUnavailable' },
};
/** Reasons for requests that were refused before their body was decoded. */
const unread: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
};
const fault = { status: 500, reason: 'InternalError' };

export type Status = { code: number } & Record<string, unknown>;

/** An error as the `Status` of an API server (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/status/). */
export function statusOf(error: unknown, target: Target | null): Status {
  if (!isKubeError(error)) return failure(500, fault.reason, 'The sandbox failed to answer; its process says why.');
  const { status, reason } = answers[error.code] ?? fault;
  const code = error.code === 'not-served' ? status : (error.detail.status ?? status);
  const causes = causesOf(error, code);
  // Without a name in `details`, 404 means that the kind is not served.
  const named = error.code === 'not-served' ? {} : { name: target?.name ?? target?.namespace ?? '' };
  return {
    ...failure(code, unread[code] ?? reason, error.message),
    details: {
      ...(named.name ? named : {}),
      ...(target ? { group: target.resource.group, kind: target.resource.plural } : {}),
      ...(causes.length > 0 ? { causes } : {}),
      ...(error.detail.retryAfterMs ? { retryAfterSeconds: Math.ceil(error.detail.retryAfterMs / 1000) } : {}),
    },
  };
}

export function failure(code: number, reason: string, message: string): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, message };
}

/** For an invalid object its fields are causes; if it could not be decoded, only the message names them. */
function causesOf({ detail }: KubeError, code: number): { reason: string; message: string; field?: string }[] {
  const { conflicts = [], fields = [], isNamespaceGoing } = detail;
  return [
    ...conflicts.map(({ manager, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${JSON.stringify(manager)}`,
      field,
    })),
    ...(code === 422 ? fields : []).map(({ field, message }) => ({ reason: 'FieldValueInvalid', message, field })),
    ...(isNamespaceGoing ? [{ reason: 'NamespaceTerminating', message: 'the namespace is being deleted' }] : []),
  ];
}
