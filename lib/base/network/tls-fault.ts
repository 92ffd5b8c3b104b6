/**
 * A failed TLS connection as a sentence, by the code of Node's error, or by a code alone: what happened, and what to do. Null: the code is not about TLS, or the
 * connection certainly broke after its handshake, where a request may have arrived. `peer` is shown as it is given; `authority` names who should have signed its
 * certificate.
 *
 * Codes of certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes. Others are `ERR_SSL_` or `ERR_OSSL_` and OpenSSL's reason in capitals
 * (https://docs.openssl.org/3.5/man3/ERR_get_error/); alerts have other prefixes since OpenSSL 3.2, so only their names are compared. Read 2026-11-28.
 */
export function tlsFault(error: unknown, peer: string, authority: string): string | null {
  const code = codeOf(error);
  if (!isOfTls.test(code) || brokeLater.test(code)) return null;
  // Most other alerts may also come after the handshake (RFC 8446 §6.2).
  return (
    knownFault(code)?.says(peer, authority) ??
    `The TLS connection with ${peer} failed (${code}). Look into its log, and for a proxy or firewall in between that changes TLS.`
  );
}

/** Whether the fault shows that the handshake failed, so that nothing was sent after it. Certificates are settled before the server reads anything. */
export function isOfHandshake(error: unknown): boolean {
  return knownFault(codeOf(error)) !== undefined;
}

const knownFault = (code: string) => faults.find(({ codes }) => codes.test(code));

/**
 * Node's http client calls every failed handshake EPROTO, in `write EPROTO …:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:…`. The
 * code is made of OpenSSL's reason then, as Node makes it for other clients. Measured with Node 24.21 against servers of its own.
 */
function codeOf(error: unknown): string {
  if (typeof error === 'string') return error;
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return '';
  const reason = error.code === 'EPROTO' ? reasonOfOpenssl.exec(error.message)?.[1] : undefined;
  return reason === undefined ? error.code : `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

const reasonOfOpenssl = /error:[0-9A-F]{8}:SSL routines:[^:]*:([^:]{1,80}):/;

/** The authorities of servers for which no settings name one. */
export const trustedHere =
  'an authority that this machine trusts (NODE_EXTRA_CA_CERTS names a file with one of your own)';

const isOfTls =
  /^(?:ERR_(?:SSL|TLS|OSSL)_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)|^(?:EPROTO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|UNSPECIFIED)$/;

const brokeLater = /BAD_RECORD_MAC|DECRYPTION_FAILED|UNEXPECTED_EOF/;

type Fault = { readonly codes: RegExp; says(peer: string, authority: string): string };

const faults: readonly Fault[] = [
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/,
    says: (peer) => `The certificate of ${peer} is for another name or address.`,
  },
  { codes: /^CERT_HAS_EXPIRED$/, says: (peer) => `The certificate of ${peer} has expired.` },
  {
    codes: /^CERT_NOT_YET_VALID$/,
    says: (peer) => `The certificate of ${peer} is not valid yet; are the clocks right?`,
  },
  { codes: /^CERT_REVOKED$/, says: (peer) => `The certificate of ${peer} was revoked. Give it a new one.` },
  {
    codes: /^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/,
    says: (peer) => `The certificate of ${peer} is not made for a server, or its authority may not sign it.`,
  },
  {
    codes: /CRL/,
    says: (peer) => `The list of revoked certificates that counts for ${peer} was not read, or is out of date.`,
  },
  {
    codes: /^CERT_|^INVALID_CA$|^UNABLE_TO_|^DEPTH_ZERO_|^SELF_SIGNED_/,
    says: (peer, authority) => `The certificate of ${peer} is not signed by ${authority}.`,
  },
  {
    codes: /WRONG_VERSION_NUMBER|_HTTPS?_(?:PROXY_)?REQUEST|PACKET_LENGTH_TOO_LONG/,
    says: (peer) => `${peer} does not answer with TLS. Is the address right?`,
  },
  {
    codes: /ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|VERSION_TOO_LOW/,
    says: (peer) => `${peer} speaks no version of TLS that is accepted here. Turn TLS 1.2 or later on there.`,
  },
  {
    codes: /ALERT_(?:BAD_CERTIFICATE|CERTIFICATE_|UNSUPPORTED_CERTIFICATE|NO_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/,
    says: (peer) =>
      `${peer} refuses the client certificate, or there is none. Renew it, and see which authority must have signed it.`,
  },
  {
    codes: /ALERT_(?:HANDSHAKE_FAILURE|INSUFFICIENT_SECURITY)|NO_SHARED_CIPHER|NO_CIPHERS_AVAILABLE/,
    says: (peer) =>
      `${peer} ended the TLS handshake: it has no cipher in common with this machine, or wants a client certificate. Compare its TLS settings.`,
  },
  {
    codes: /UNRECOGNIZED_NAME/,
    says: (peer) => `${peer} has no certificate for this name. Is the address right?`,
  },
  {
    // Node has no name for these. Measured with a key of 1024 bits, which OpenSSL refuses by default (v24.21, OpenSSL 3.5).
    codes: /^UNSPECIFIED$/,
    says: (peer) =>
      `The certificate of ${peer} is refused here: its key or signature is too weak, or it is malformed. Give it a new one.`,
  },
  {
    // Of a certificate that is loaded here; of one that a server shows it is UNSPECIFIED.
    codes: /(?:EE|CA)_KEY_TOO_SMALL|CA_MD_TOO_WEAK/,
    says: (peer) =>
      `The client certificate for ${peer} has a key or a signature that is refused here as too weak. Get a new one.`,
  },
  {
    codes: /KEY_TOO_SMALL|MD_TOO_WEAK|BAD_DH_VALUE|UNSAFE_LEGACY_RENEGOTIATION/,
    says: (peer) =>
      `${peer} uses keys, signatures or settings of TLS that are refused here as too weak. Give it a new certificate, or newer TLS settings.`,
  },
  {
    codes: /KEY_VALUES_MISMATCH/,
    says: (peer) => `The client certificate for ${peer} and its key do not belong together. Renew both.`,
  },
  {
    codes: /^ERR_OSSL_/,
    says: (peer) =>
      `A certificate or key for ${peer} cannot be read on this machine: PEM is needed, without a password.`,
  },
];
