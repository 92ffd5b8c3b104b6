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

test('a handshake that fails while it writes is of TLS', () => {
  expect(failed('EPROTO', 'write', 'write')).toMatchObject({ error: { code: 'tls' }, progress: 'not-sent' });
});
