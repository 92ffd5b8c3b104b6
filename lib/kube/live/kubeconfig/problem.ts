import { KubeError } from '../../error.ts';

/**
 * An error in a kubeconfig. `where` is a flag (`--context`), a variable (`KUBECONFIG`) or a field with its file
 * (`users "dev": exec.command, in /home/me/.kube/config`). `message` never quotes a value that may be a secret.
 */
export function kubeconfigProblem(where: string, message: string, cause?: Error): KubeError {
  return new KubeError('invalid', `${where}: ${message}`, { fields: [{ field: where, message }] }, cause);
}

/** The error for credentials that cannot be had: a missing file, a failed program. `where` and `message` as in `kubeconfigProblem`. */
export function credentialsProblem(where: string, message: string, cause?: Error): KubeError {
  return new KubeError('credentials', `${where}: ${message}`, { fields: [{ field: where, message }] }, cause);
}
