import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { KubeError } from '#lib/kube/index.ts';
import { FlowError } from '../flow-error.ts';
import { explained } from './explained.ts';

const to = {
  pod: { namespace: 'calico-system', name: 'goldmane-1', port: 7443 },
  serverName: 'goldmane.calico-system.svc',
};
const failure = (code: number, details: string) => Object.assign(new Error(`${code} ${details}`), { code, details });

test.each<[string, unknown, unknown, { code: string; message: RegExp }]>([
  [
    'a right that is missing, whatever gRPC says',
    failure(status.UNAVAILABLE, 'socket hang up'),
    new KubeError('forbidden', 'pods/portforward'),
    { code: 'forbidden', message: /^You may not forward a port of pod calico-system\/goldmane-1/ },
  ],
  [
    'what the tunnel knows',
    failure(status.UNAVAILABLE, 'socket hang up'),
    new FlowError('no-cluster', 'This cluster forwards no ports.'),
    { code: 'no-cluster', message: /forwards no ports/ },
  ],
  [
    'a certificate',
    failure(status.UNAVAILABLE, 'self-signed certificate in certificate chain'),
    null,
    { code: 'certificates', message: /does not verify for goldmane\.calico-system\.svc/ },
  ],
  [
    'silence, for the reason of the tunnel',
    failure(status.DEADLINE_EXCEEDED, 'Deadline exceeded'),
    new Error('the pod is gone'),
    { code: 'unreachable', message: /does not answer: the pod is gone$/ },
  ],
  [
    'silence without a reason',
    failure(status.UNAVAILABLE, 'No connection established'),
    null,
    { code: 'unreachable', message: /does not answer: No connection established$/ },
  ],
  ['a connection that we closed', failure(status.CANCELLED, ''), null, { code: 'unreachable', message: /was closed/ }],
  [
    'an answer that is no',
    failure(status.INVALID_ARGUMENT, 'bad filter'),
    null,
    { code: 'refused', message: /aggregator refused: bad filter\.$/ },
  ],
])('%s', (_what, error, fault, { code, message }) => {
  expect(explained(error, fault, to)).toMatchObject({ code, message: expect.stringMatching(message) });
});
