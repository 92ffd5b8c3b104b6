import { readFile } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { credentialsProblem } from '../kubeconfig/problem.ts';
import { codeOf, type Redactor, Secret } from '../secret.ts';
import type { Credential, Credentials } from './credential.ts';

/** Others rotate token and certificate files (kubelet, cert-manager), so they are read again, at most once a minute like client-go. */
const readAgainMs = 60_000;

/** A file that a credential field names, and the field in words: `users "dev": tokenFile, in /home/me/.kube/config`. */
export type CredentialFile = { readonly path: string; readonly where: string };

/**
 * Credentials from files. If a file becomes unreadable, its last content stays in use, as in client-go. One that never was readable is a `credentials`
 * error that names field and file.
 */
export function fileCredentials(
  files: readonly CredentialFile[],
  make: (contents: readonly string[]) => Credential,
  { clock, redactor }: { clock: Clock; redactor: Redactor },
): Credentials {
  let last: { contents: readonly string[]; credential: Credential; readAt: number } | null = null;
  return {
    async get(refused) {
      if (last && refused !== last.credential && clock.monotonic() - last.readAt < readAgainMs) return last.credential;
      let contents: readonly string[];
      try {
        contents = await Promise.all(files.map(readCredentialFile));
      } catch (error) {
        if (!last) throw error;
        last = { ...last, readAt: clock.monotonic() };
        return last.credential;
      }
      const before = last;
      if (before && contents.every((content, index) => content === before.contents[index])) {
        last = { ...before, readAt: clock.monotonic() };
      } else {
        redactor.learn(...contents);
        last = { contents, credential: make(contents), readAt: clock.monotonic() };
      }
      return last.credential;
    },
  };
}

/** A bearer token from a file, such as a pod's service account token. The file is read again as by `fileCredentials`. */
export function tokenFileCredentials(file: CredentialFile, uses: { clock: Clock; redactor: Redactor }): Credentials {
  return fileCredentials(
    [file],
    ([content = '']) => ({ authorization: bearer(new Secret(content.trim()), file.where), certificate: null }),
    uses,
  );
}

/** `where` names the field if the token cannot be sent in a header at all. */
export function bearer(token: Secret, where: string): Secret {
  const value = token.reveal();
  if (value === '') throw credentialsProblem(where, 'the token is empty.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw credentialsProblem(where, 'the token holds characters that no token has.');
  return new Secret(`Bearer ${value}`);
}

/** The text of a file. Rejects with `credentials`, naming the field and the path but never the content. */
export async function readCredentialFile({ path, where }: CredentialFile): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw credentialsProblem(where, `${path} ${unreadable(codeOf(error))}`);
  }
}

function unreadable(code: string | null): string {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist.';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by this user.';
    case 'EISDIR':
      return 'is a directory, a file is needed.';
    default:
      return 'cannot be read.';
  }
}
