import { createServer as createHttpServer } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createServer, type SecureVersion } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { issueCertificate } from '../certificates.ts';
import { tlsFault } from './tls-fault.ts';

const sentenceOf = (error: unknown) => tlsFault(error, 'api.example:6443', "the cluster's certificate authority");

test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another name or address\.$/],
  ['CERT_HAS_EXPIRED', /has expired\.$/],
  ['CERT_NOT_YET_VALID', /not valid yet; are the clocks right\?$/],
  ['CERT_REVOKED', /was revoked\./],
  ['INVALID_PURPOSE', /not made for a server/],
  ['UNABLE_TO_GET_CRL', /list of revoked certificates/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /not signed by the cluster's certificate authority\.$/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not signed by/],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /does not answer with TLS\. Is the address right\?$/],
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
  expect(sentenceOf(code)).toMatch(words);
  expect(sentenceOf(code)).toContain('api.example:6443');
  expect(sentenceOf(code)).not.toContain(code);
});

test('a code without words of its own comes with what to look at, and others are no fault of TLS', () => {
  expect(sentenceOf('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR')).toMatch(
    /failed \(ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR\)\. Look into its log/,
  );
  for (const code of ['ECONNRESET', 'ENOTFOUND', '', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'])
    expect(sentenceOf(code), code).toBeNull();
});

const { key, certificate } = issueCertificate({ commonName: 'server', names: ['127.0.0.1'], use: 'end' }, Date.now());

/** The error of Node's own https client, which calls each of these EPROTO. */
async function errorOf(server: Server, maxVersion?: SecureVersion): Promise<unknown> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const options = { host: '127.0.0.1', port, ca: certificate, agent: false, ...(maxVersion ? { maxVersion } : {}) };
  return new Promise((failed, answered) => {
    get(options, () => answered(new Error('it answered'))).on('error', failed);
  });
}

test.each<[string, () => Server, SecureVersion | undefined, RegExp]>([
  [
    'a server of TLS 1.3 alone',
    () => createServer({ key, cert: certificate, minVersion: 'TLSv1.3' }),
    'TLSv1.2',
    /speaks no version of TLS that is accepted here/,
  ],
  [
    'a server that wants a client certificate',
    () => createServer({ key, cert: certificate, requestCert: true, maxVersion: 'TLSv1.2' }),
    undefined,
    /no cipher in common with this machine, or wants a client certificate/,
  ],
  ['a server of plain HTTP', () => createHttpServer(), undefined, /does not answer with TLS\. Is the address right\?$/],
])('a failed handshake with %s is described by its reason', async (_what, server, maxVersion, words) => {
  const error = await errorOf(server(), maxVersion);
  expect(error).toMatchObject({ code: 'EPROTO' });
  expect(sentenceOf(error)).toMatch(words);
});

test('a failed handshake without a reason is described by its code', () => {
  expect(sentenceOf(Object.assign(new Error('write EPROTO'), { code: 'EPROTO' }))).toMatch(
    /failed \(EPROTO\)\. Look into/,
  );
});

test('a broken record after the handshake is no fault of it, because the request may have arrived', () => {
  const message = 'write EPROTO 40:error:0A0003FC:SSL routines:ssl3_read_bytes:ssl/tls alert bad record mac:x.c:918:';
  expect(sentenceOf(Object.assign(new Error(message), { code: 'EPROTO' }))).toBeNull();
});
