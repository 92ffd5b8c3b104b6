import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { z } from 'zod';
import { childEnvironment } from '#lib/base/child-environment.ts';
import { programOutput } from '#lib/text/index.ts';
import { credentialsProblem } from '../kubeconfig/problem.ts';
import type { ExecEntry } from '../kubeconfig/schema.ts';
import { codeOf, Secret } from '../secret.ts';
import { checkedCertificate } from './client-certificate.ts';
import type { ClientCertificate, Credential, Credentials } from './credential.ts';
import type { UserUses } from './user-uses.ts';
import { bearer } from './watched-files.ts';

const timeoutMs = 30_000;
const outputLimitBytes = 1024 * 1024;
/** Renew before the token expires: one that expires while a request is in flight causes a 401. */
const renewBeforeExpiryMs = 10_000;
const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const clusterConfigExtension = 'client.authentication.k8s.io/exec';

const answerSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().nullish(),
    clientCertificateData: z.string().nullish(),
    clientKeyData: z.string().nullish(),
    expirationTimestamp: z.string().nullish(),
  }),
});

/**
 * A credential plug-in (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins).
 * It gets no terminal: standard input is closed, and a plug-in that requires a terminal is refused with that reason. After 30 s its process group is
 * killed. Concurrent callers share one run, and its credential is kept until it expires or is refused.
 * The library sets no time limit, leaves standard input open, runs the plug-in once per caller and repeats its output in errors (library.test.ts).
 */
export function execCredentials(entry: ExecEntry, at: (field: string) => string, uses: UserUses): Credentials {
  const where = at('exec');
  const { command, apiVersion } = entry;
  if (command === null) throw credentialsProblem(at('exec.command'), 'it is missing.');
  if (apiVersion === null || !apiVersions.includes(apiVersion)) {
    throw credentialsProblem(at('exec.apiVersion'), `one of ${apiVersions.join(', ')} is needed.`);
  }
  if (entry.interactiveMode === 'Always') {
    throw credentialsProblem(
      at('exec.interactiveMode'),
      `"${basename(command)}" needs a terminal (Always) and has none here. Log in with it by hand, and set IfAvailable or Never.`,
    );
  }
  if (
    entry.interactiveMode === null ? apiVersion.endsWith('/v1') : !/^(Never|IfAvailable)$/.test(entry.interactiveMode)
  ) {
    throw credentialsProblem(at('exec.interactiveMode'), 'Never, IfAvailable or Always is needed.');
  }
  const info = execInfo(apiVersion, entry, uses.cluster);

  let cached: { credential: Credential; expiresAt: number | null } | null = null;
  let flight: Promise<Credential> | null = null;

  async function renew(program: string, version: string): Promise<Credential> {
    const stdout = await run(program, entry, info, where, uses);
    const { credential, expiresAt } = readAnswer(stdout, version, where, program);
    uses.redactor.learn(credential.authorization?.reveal().slice('Bearer '.length), credential.certificate?.key);
    cached = { credential, expiresAt };
    return credential;
  }

  return {
    async get(refused) {
      const valid = cached && (cached.expiresAt === null || uses.clock.now() < cached.expiresAt - renewBeforeExpiryMs);
      if (cached && valid && cached.credential !== refused) return cached.credential;
      flight ??= renew(command, apiVersion).finally(() => {
        flight = null;
      });
      return flight;
    },
  };
}

/** KUBERNETES_EXEC_INFO. */
function execInfo(apiVersion: string, entry: ExecEntry, cluster: UserUses['cluster']): string {
  const extension = cluster.entry.extensions.find(({ name }) => name === clusterConfigExtension);
  const about = {
    server: cluster.server,
    ...(cluster.entry['tls-server-name'] ? { 'tls-server-name': cluster.entry['tls-server-name'] } : {}),
    ...(cluster.entry['insecure-skip-tls-verify'] ? { 'insecure-skip-tls-verify': true } : {}),
    ...(cluster.authorities
      ? { 'certificate-authority-data': Buffer.from(cluster.authorities).toString('base64') }
      : {}),
    ...(cluster.entry['proxy-url'] ? { 'proxy-url': cluster.entry['proxy-url'].reveal() } : {}),
    ...(cluster.entry['disable-compression'] ? { 'disable-compression': true } : {}),
    config: extension ? JSON.parse(extension.extension.reveal()) : null,
  };
  return JSON.stringify({
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(entry.provideClusterInfo ? { cluster: about } : {}) },
  });
}

function run(program: string, entry: ExecEntry, info: string, where: string, uses: UserUses): Promise<string> {
  const name = basename(program);
  const hint = entry.installHint ? ` ${uses.redactor.redact(entry.installHint.reveal().trim()).slice(0, 1000)}` : '';
  return new Promise((resolve, reject) => {
    const child = spawn(
      program,
      entry.args.map((arg) => arg.reveal()),
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        // Its own process group, so that programs which it starts are killed too.
        detached: true,
        env: {
          ...childEnvironment(uses.env),
          ...Object.fromEntries(entry.env.map((variable) => [variable.name, variable.value.reveal()])),
          KUBERNETES_EXEC_INFO: info,
        },
      },
    );
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let size = 0;
    let settled = false;

    const settle = (act: () => void) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      act();
    };
    const fail = (message: string, cause?: Error) => settle(() => reject(credentialsProblem(where, message, cause)));
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => {
      fail(
        `"${name}" gave no credentials within ${timeoutMs / 1000} s. It may be waiting for a login: run it by hand once.`,
      );
      kill();
    }, timeoutMs);
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size <= outputLimitBytes) return void chunks.push(chunk);
      fail(`"${name}" printed more than 1 MiB, too much for a credential.`);
      kill();
    };
    child.stdout.on('data', collect(stdout));
    child.stderr.on('data', collect(stderr));
    child.on('error', (error) => {
      fail(
        codeOf(error) === 'ENOENT'
          ? `"${name}" is not installed, or not in PATH.${hint}`
          : `"${name}" cannot be run (${codeOf(error) ?? 'unknown reason'}).${hint}`,
      );
    });
    child.on('close', (code, signal) => {
      if (code === 0) return settle(() => resolve(Buffer.concat(stdout).toString('utf8')));
      const output = programOutput(uses.redactor.redact(Buffer.concat(stderr).toString('utf8')));
      fail(
        `"${name}" ended ${code === null ? `by ${signal}` : `with exit code ${code}`}${output.line === '' ? '.' : `: ${output.line}`}${hint}`,
        output.whole === null ? undefined : new Error(`"${name}" wrote: ${output.whole}`),
      );
    });
  });
}

function readAnswer(stdout: string, apiVersion: string, where: string, program: string) {
  const name = basename(program);
  let json: unknown;
  try {
    json = JSON.parse(stdout);
  } catch {
    throw credentialsProblem(where, `the output of "${name}" is not JSON.`);
  }
  const parsed = answerSchema.safeParse(json);
  if (!parsed.success)
    throw credentialsProblem(where, `the output of "${name}" is not an ExecCredential with a status.`);
  const { apiVersion: answered, status } = parsed.data;
  if (answered !== apiVersion) {
    throw credentialsProblem(
      where,
      `"${name}" answered in another version of the API than ${apiVersion}; update one of them.`,
    );
  }
  let certificate: ClientCertificate | null = null;
  if (status.clientCertificateData || status.clientKeyData) {
    const from = `${where}: certificate of "${name}"`;
    certificate = checkedCertificate(status.clientCertificateData ?? '', status.clientKeyData ?? '', from, from);
  }
  const authorization = status.token ? bearer(new Secret(status.token), where) : null;
  if (!certificate && !authorization)
    throw credentialsProblem(where, `"${name}" gave neither a token nor a certificate.`);
  const expiry = status.expirationTimestamp ? Date.parse(status.expirationTimestamp) : Number.NaN;
  return { credential: { authorization, certificate }, expiresAt: Number.isNaN(expiry) ? null : expiry };
}
