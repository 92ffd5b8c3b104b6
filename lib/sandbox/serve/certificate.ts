import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Both as PEM. The certificate is trusted by itself, and vouches for no other. */
export type SelfSigned = { key: string; certificate: string };

const dayMs = 24 * 60 * 60 * 1000;
/** A sandbox that is served for longer gets a new one when it is opened again. */
const lastsMs = 365 * dayMs;

/**
 * A certificate for `localhost`, 127.0.0.1 and ::1 that signs itself (RFC 5280 §4.1, ECDSA on P-256). Written as DER here: Node makes keys and
 * signatures, and no certificates.
 */
export function selfSigned(now: number): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from('signalbox sandbox')))));
  const extension = (id: string, value: Buffer) => sequence(oid(id), tagged(0x04, value));
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    name,
    sequence(time(now - dayMs), time(now + lastsMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension('551d11', reachedAs))),
  );
  const signature = sign('sha256', toBeSigned, privateKey);
  const der = sequence(toBeSigned, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return {
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
/** In its encoded form, as hex. */
const oid = (encoded: string) => tagged(0x06, Buffer.from(encoded, 'hex'));
/** UTCTime, which RFC 5280 asks for until 2049: two digits a field. */
const time = (ms: number) =>
  tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
/** subjectAltName. */
const reachedAs = sequence(
  tagged(0x82, Buffer.from('localhost')),
  tagged(0x87, Buffer.from([127, 0, 0, 1])),
  tagged(0x87, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
);
