import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

/** In PEM. `commonName`: its subject, which is the issuer in certificates that it signs. */
export type IssuedCertificate = { readonly commonName: string; readonly key: string; readonly certificate: string };

export type CertificateRequest = {
  readonly commonName: string;
  /** Host names and addresses for subjectAltName. */
  readonly names?: readonly string[];
  /** `authority`: it may sign others. */
  readonly use: 'end' | 'authority';
  /** Default: a year from now. */
  readonly lastsMs?: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const yearMs = 365 * dayMs;

/**
 * A certificate signed by another one, or by itself if none is given (RFC 5280 §4.1, ECDSA on P-256). Encoded as DER here, because Node can make keys and
 * signatures but no certificates. `now`: ms since 1970.
 */
export function issueCertificate(
  { commonName, names = [], use, lastsMs = yearMs }: CertificateRequest,
  now: number,
  issuer?: IssuedCertificate,
): IssuedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    ...(use === 'authority' ? [extension('551d13', sequence(yes), 'critical')] : []),
    ...(names.length > 0 ? [extension('551d11', sequence(...names.map(alternativeName)), 'optional')] : []),
  ];
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    nameOf(issuer?.commonName ?? commonName),
    sequence(time(Math.min(now, now + lastsMs) - dayMs), time(now + lastsMs)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(extensions.length > 0 ? [tagged(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign('sha256', toBeSigned, issuer?.key ?? privateKey);
  const der = sequence(toBeSigned, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return {
    commonName,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts);
const set = (...parts: Buffer[]) => tagged(0x31, ...parts);
/** An object identifier from its encoded form in hex. */
const oid = (encoded: string) => tagged(0x06, Buffer.from(encoded, 'hex'));
/** UTCTime, which RFC 5280 demands until 2049, with two digits per field. */
const time = (ms: number) =>
  tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));
const nameOf = (commonName: string) => sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from(commonName)))));
const yes = tagged(0x01, Buffer.from([0xff]));
const extension = (id: string, value: Buffer, heed: 'critical' | 'optional') =>
  sequence(oid(id), ...(heed === 'critical' ? [yes] : []), tagged(0x04, value));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));

/** An entry of subjectAltName. */
function alternativeName(name: string): Buffer {
  if (isIP(name) === 0) return tagged(0x82, Buffer.from(name));
  if (isIPv4(name)) return tagged(0x87, Buffer.from(name.split('.').map(Number)));
  if (name === '::1') return tagged(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])]));
  throw new Error(`${name}: of IPv6 addresses only ::1 can stand in a certificate`);
}
