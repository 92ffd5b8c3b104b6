import { createPrivateKey, X509Certificate } from 'node:crypto';
import { credentialsProblem } from '../kubeconfig/problem.ts';
import { Secret } from '../secret.ts';
import type { ClientCertificate } from './credential.ts';

/** Parses certificate and key to name the wrong field and file, which OpenSSL's error at the first connection does not. */
export function checkedCertificate(cert: string, key: string, certWhere: string, keyWhere: string): ClientCertificate {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    throw credentialsProblem(certWhere, 'this is not a PEM certificate.');
  }
  let matches: boolean;
  try {
    matches = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    throw credentialsProblem(keyWhere, 'this is not a PEM private key without a passphrase.');
  }
  if (!matches) throw credentialsProblem(keyWhere, 'the key does not belong to the client certificate.');
  return { cert, key: new Secret(key) };
}
