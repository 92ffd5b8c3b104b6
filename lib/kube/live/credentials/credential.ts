import type { Secret } from '../secret.ts';

export type ClientCertificate = { readonly cert: string; readonly key: Secret };

/** What authenticates us to the API server: the value of the Authorization header, a client certificate, or both. */
export type Credential = {
  readonly authorization: Secret | null;
  readonly certificate: ClientCertificate | null;
};

/**
 * A source of credentials. It returns the same object until they change, so that callers can compare it. `refused`: the credential that the server has
 * just answered 401 to; if it is the cached one, it is renewed where possible.
 * Rejects with `credentials`.
 */
export interface Credentials {
  get(refused: Credential | null): Promise<Credential>;
}

export const anonymous: Credential = { authorization: null, certificate: null };

/** A source whose credential never changes, also after the server refused it: there is nothing to renew. */
export function fixedCredentials(credential: Credential): Credentials {
  return { get: async () => credential };
}

/** Takes the Authorization header from the first source that has one, and the certificate likewise. */
export function combinedCredentials(sources: readonly Credentials[]): Credentials {
  let parts: readonly Credential[] = [];
  let combined: Credential = anonymous;
  return {
    async get(refused) {
      const refusedParts = refused === combined ? parts : [];
      const next = await Promise.all(sources.map((source, index) => source.get(refusedParts[index] ?? null)));
      if (next.length === parts.length && next.every((part, index) => part === parts[index])) return combined;
      parts = next;
      combined = {
        authorization: next.find((part) => part.authorization !== null)?.authorization ?? null,
        certificate: next.find((part) => part.certificate !== null)?.certificate ?? null,
      };
      return combined;
    },
  };
}
