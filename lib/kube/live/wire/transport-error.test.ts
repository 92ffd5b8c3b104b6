import { expect, test } from 'vitest';
import { Redactor } from '../secret.ts';
import { type Effect, transportError } from './transport-error.ts';

const failed = (code: string, syscall: string, effect: Effect) =>
  transportError(Object.assign(new Error(`${syscall} ${code}`), { code, syscall }), {
    host: 'api.example:6443',
    effect,
    redactor: new Redactor(),
  });

test.each(['ETIMEDOUT', 'EHOSTUNREACH'])(
  'a connection that ends with %s before it is there has sent nothing; one that was there may have',
  (code) => {
    expect(failed(code, 'connect', 'write').progress).toBe('not-sent');
    const { error, progress } = failed(code, 'read', 'write');
    expect([error.code, progress]).toEqual(['unreachable', 'unknown']);
    expect(error.message).toBe(
      'The connection to api.example:6443 broke before an answer came. The change may have been made.',
    );
    expect(failed(code, 'read', 'none').error.message).not.toContain('may have been made');
  },
);

const failedTls = (reason: string) => {
  const message = `write EPROTO 40:error:0A000438:SSL routines:ssl3_read_bytes:${reason}:x.c:918:SSL alert number 80`;
  return transportError(Object.assign(new Error(message), { code: 'EPROTO', syscall: 'write' }), {
    host: 'api.example:6443',
    effect: 'write',
    redactor: new Redactor(),
  });
};

test.each(['tlsv1 alert protocol version', 'tlsv13 alert certificate required', 'sslv3 alert handshake failure'])(
  'a handshake that fails while it writes (%s) is of TLS, and has sent nothing',
  (reason) => {
    const { error, progress } = failedTls(reason);
    expect([error.code, progress]).toEqual(['tls', 'not-sent']);
    expect(error.message).not.toContain('may have been made');
  },
);

test.each(['tlsv1 alert internal error', 'tlsv1 alert decode error', 'sslv3 alert unexpected message'])(
  'an alert that may also come after the handshake (%s) is not told as a failed one: the change may have been made',
  (reason) => {
    const { error, progress } = failedTls(reason);
    expect([error.code, progress]).toEqual(['tls', 'unknown']);
    expect(error.message).toMatch(/^The TLS connection with api\.example:6443 failed \(ERR_SSL_.*\)\. Look into/);
    expect(error.message).toMatch(/The change may have been made\.$/);
    expect(error.message).not.toContain('handshake');
  },
);
