import { z } from 'zod';
import { Secret } from '../secret.ts';

/**
 * A kubeconfig file as kubectl reads it: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/. Unknown fields are
 * ignored; `null` and the empty string mean absent. Fields that may hold a secret become a `Secret` here, also arguments of
 * plug-ins, so that no later code prints the plain value by accident.
 */
const text = z
  .string()
  .nullish()
  .transform((value) => value || null);
const secret = z
  .string()
  .nullish()
  .transform((value) => (value ? new Secret(value) : null));
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** Passed to a plug-in unread. */
const asSecretJson = z.unknown().transform((value) => new Secret(JSON.stringify(value ?? null)));

function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
}

export const clusterSchema = z.object({
  /** May contain user and password. */
  server: secret,
  'tls-server-name': text,
  'insecure-skip-tls-verify': flag,
  'certificate-authority': text,
  'certificate-authority-data': text,
  'proxy-url': secret,
  'disable-compression': flag,
  extensions: listOf(z.object({ name: z.string(), extension: asSecretJson })),
});

export const execSchema = z.object({
  command: text,
  args: listOf(z.string().transform((value) => new Secret(value))),
  env: listOf(z.object({ name: z.string(), value: z.string().transform((value) => new Secret(value)) })),
  apiVersion: text,
  installHint: secret,
  provideClusterInfo: flag,
  interactiveMode: text,
});

export const userSchema = z.object({
  'client-certificate': text,
  'client-certificate-data': secret,
  'client-key': text,
  'client-key-data': secret,
  token: secret,
  tokenFile: text,
  username: text,
  password: secret,
  as: text,
  'as-uid': text,
  'as-groups': listOf(z.string()),
  'as-user-extra': z.record(z.string(), z.array(z.string())).nullish(),
  'auth-provider': z
    .object({
      name: z.string(),
      config: z
        .record(
          z.string(),
          z.string().transform((v) => new Secret(v)),
        )
        .nullish(),
    })
    .nullish(),
  exec: execSchema.nullish(),
});

const contextSchema = z.object({ cluster: text, user: text, namespace: text });

export const fileSchema = z.object({
  clusters: listOf(z.object({ name: z.string(), cluster: clusterSchema.nullish() })),
  users: listOf(z.object({ name: z.string(), user: userSchema.nullish() })),
  contexts: listOf(z.object({ name: z.string(), context: contextSchema.nullish() })),
  'current-context': text,
});

export type ClusterEntry = z.output<typeof clusterSchema>;
export type UserEntry = z.output<typeof userSchema>;
export type ContextEntry = z.output<typeof contextSchema>;
export type ExecEntry = z.output<typeof execSchema>;
export type KubeconfigFile = z.output<typeof fileSchema>;
