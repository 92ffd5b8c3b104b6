import { randomBytes } from 'node:crypto';

/** A nonce of 128 bits for one answer. Next takes it from the policy in the request's headers and writes it into its own script elements. */
export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** Nothing from elsewhere, no inline script or style without this answer's nonce, and nobody frames us. */
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

/** On every answer. No Strict-Transport-Security: this is HTTP on the loopback address, and browsers would remember it for every port. */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`: with that, browsers send `Origin: null` with a form that is posted without script, and the door refuses it.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()',
};
