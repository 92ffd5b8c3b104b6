import { expect, test } from 'vitest';
import { tlsFault } from './tls-fault.ts';

const said = (code: string) => tlsFault(code, 'api.example:6443', "the cluster's certificate authority");

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name or address\.$/],
  ['CERT_HAS_EXPIRED', /has expired\.$/],
  ['CERT_NOT_YET_VALID', /not valid yet; are the clocks right\?$/],
  ['CERT_REVOKED', /was revoked\./],
  ['INVALID_PURPOSE', /not made for a server/],
  ['UNABLE_TO_GET_CRL', /list of revoked certificates/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /not signed by the cluster's certificate authority\.$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not signed by/],
  ['EPROTO', /does not answer with TLS\. Is the address right\?$/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not answer with TLS/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no version of TLS .* Turn TLS 1\.2 or later on/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /refuses the client certificate, or there is none\. Renew it/],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', /refuses the client certificate/],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /no cipher in common .* or wants a client certificate/],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /no cipher in common/],
  ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /no certificate for this name/],
  ['ERR_SSL_EE_KEY_TOO_SMALL', /^The client certificate for .* too weak/],
  ['UNSPECIFIED', /^The certificate of .* too weak/],
  ['ERR_SSL_DH_KEY_TOO_SMALL', /uses keys.* too weak/],
  ['ERR_OSSL_X509_KEY_VALUES_MISMATCH', /do not belong together\. Renew both\.$/],
  ['ERR_OSSL_PEM_BAD_DECRYPT', /cannot be read on this machine: PEM is needed/],
])('%s is said in words', (code, words) => {
  expect(said(code)).toMatch(words);
  expect(said(code)).toContain('api.example:6443');
  expect(said(code)).not.toContain(code);
});

test('a code without words of its own comes with what to look at, and others are no fault of TLS', () => {
  expect(said('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')).toMatch(
    /failed \(ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR\)\. Look into its log/,
  );
  for (const code of ['ECONNRESET', 'ENOTFOUND', '', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'])
    expect(said(code), code).toBeNull();
});
