import type { Secret } from '../secret.ts';

export type ClientCertificate = { readonly cert: string; readonly key: Secret };

/** What proves to the API server who we are: the value of the Authorization header, a client certificate, or both. */
export type Credential = {
  readonly authorization: Secret | null;
  readonly certificate: ClientCertificate | null;
};

/**
 * Where credentials come from. The same object is returned for as long as nothing changed, so that it can be compared.
 * `refused`: what the server has just answered 401 to; anything cached that equals it is renewed if that is possible at all.
 * Rejects with `credentials`.
 */
export interface Credentials {
  get(refused: Credential | null): Promise<Credential>;
}

export const anonymous: Credential = { authorization: null, certificate: null };

/** Credentials that never change. */
export function fixedCredentials(credential: Credential): Credentials {
  return { get: async () => credential };
}

/** The first that has an Authorization header gives it, and the first that has a certificate gives that. */
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
