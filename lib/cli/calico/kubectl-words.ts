import { isKubeError, type KubeErrorCode } from '#lib/kube/index.ts';
import { NoSuchKind } from '#lib/usecases/calico/calico-objects.ts';
import { describeError } from '../describe-error.ts';
import { CliError } from '../exit.ts';

/** kubectl's word before the colon: the reason of the server's Status (apimachinery/pkg/apis/meta/v1/types.go). */
const reasons: Partial<Record<KubeErrorCode, string>> = {
  forbidden: 'Forbidden',
  unauthorized: 'Unauthorized',
  'not-found': 'NotFound',
  'already-exists': 'AlreadyExists',
  conflict: 'Conflict',
  invalid: 'Invalid',
  'not-served': 'ServiceUnavailable',
  'too-many-requests': 'TooManyRequests',
  server: 'InternalError',
};

/** A server's refusal in kubectl's words, with our exit code; other errors unchanged. */
export function inKubectlWords(error: unknown): unknown {
  if (!isKubeError(error) || error instanceof NoSuchKind) return error;
  const reason = reasons[error.code];
  if (reason === undefined) return error;
  return new CliError(describeError(error, false).exitCode, `Error from server (${reason}): ${error.message}`, error);
}

export function notFoundWords(plural: string, group: string, name: string): string {
  return `Error from server (NotFound): ${plural}.${group} ${JSON.stringify(name)} not found`;
}
