import type { ServerAddress } from '../wire/server-address.ts';

/** Sentences about settings that are allowed but unsafe. */
export function warningsOf(server: ServerAddress, verification: 'full' | 'none'): string[] {
  const warnings: string[] = [];
  if (verification === 'none') {
    warnings.push(
      `The certificate of ${server.host} is not verified (insecure-skip-tls-verify): anyone on the path can read the credentials.`,
    );
  }
  if (server.origin.startsWith('http:')) {
    warnings.push(
      server.loopback
        ? `${server.host} is reached without TLS: whoever takes its port on this machine can read the credentials.`
        : `${server.host} is reached without TLS: anyone on the path can read the credentials.`,
    );
  }
  return warnings;
}
