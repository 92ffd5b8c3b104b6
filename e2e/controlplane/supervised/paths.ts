import { join } from 'node:path';
import { kubeconfigFile } from '../plane-state.ts';

export type PlanePaths = ReturnType<typeof pathsOf>;

/** The files of a control plane. `sockets`: a folder with a short path, since Unix sockets must have one (104 bytes on macOS). */
export function pathsOf(dir: string, sockets: string) {
  const pki = join(dir, 'pki');
  return {
    pki,
    admin: kubeconfigFile(dir, 'admin'),
    serviceAccountKey: join(pki, 'service-account.key'),
    serviceAccountPublic: join(pki, 'service-account.pub'),
    tokens: join(pki, 'tokens.csv'),
    certificate: join(pki, 'apiserver.crt'),
    certificateKey: join(pki, 'apiserver.key'),
    egressConfig: join(dir, 'egress.yaml'),
    egressSocket: join(sockets, 'egress.sock'),
    control: join(sockets, 'control.sock'),
  };
}
