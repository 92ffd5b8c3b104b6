import { randomBytes } from 'node:crypto';

/** A nonce of 128 bits for one answer. Next reads it from the policy in the request's headers and puts it into its script elements. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Content-Security-Policy: only own resources, inline scripts and styles only with this answer's nonce, no framing. */
export function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Headers of every answer. No Strict-Transport-Security: the console is HTTP on the loopback address, and browsers would apply it to all ports. */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  // With `no-referrer`, browsers would send `Origin: null` with a form that is posted without script, which is refused.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
};
