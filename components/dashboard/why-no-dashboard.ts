import type { State } from '#components/ui/state-mark.tsx';
import type { Failure } from '#lib/console/host.ts';
import { flagsOfEntry, type NamedEntry } from '#lib/console/wizard/index.ts';
import { withClusterFlags } from '#lib/text/index.ts';

/** Why a cluster cannot be shown, and what to do; commands are in backticks. `isAway`: it may answer later by itself. */
export type WhyNot = { state: State; title: string; steps: string[]; isAway: boolean };

/** The texts by the failure's code (`cluster.` and a KubeErrorCode, or the host's own). */
export function whyNoDashboard({ code }: Failure, entry: NamedEntry): WhyNot {
  return { ...reasons(code, entry), isAway: code === 'cluster.unreachable' || code === 'cluster.timeout' };
}

function reasons(code: string, entry: NamedEntry): Omit<WhyNot, 'isAway'> {
  const { name } = entry;
  switch (code) {
    case 'cluster.unreachable':
    case 'cluster.timeout':
      return {
        state: 'bad',
        title: `The API server of ${name} does not answer`,
        steps: [
          'See whether this machine can reach it: a VPN, a proxy or a firewall may be in between.',
          `See whether kubectl answers: \`${withClusterFlags('kubectl version', flagsOfEntry(entry))}\`.`,
          'Signalbox asks again every ten seconds.',
          'A run on this cluster is not lost: it continues from its journal.',
        ],
      };
    case 'cluster.tls':
      return {
        state: 'bad',
        title: `No trusted TLS connection with ${name}`,
        steps: [
          'Where its certificate is not verified: compare certificate-authority in the kubeconfig with the cluster’s own CA.',
          'If the address is an alias, the certificate must carry its name, or the kubeconfig a tls-server-name.',
        ],
      };
    case 'cluster.forbidden':
      return {
        state: 'bad',
        title: `${name} refuses what the dashboard reads`,
        steps: [
          'Ask for the missing right: `signalbox rbac` prints the Roles; give those named …-read to an administrator of the cluster.',
          'Use another context of the kubeconfig whose user may read nodes.',
        ],
      };
    case 'cluster.unauthorized':
    case 'cluster.credentials':
      return {
        state: 'bad',
        title: `There are no valid credentials for ${name}`,
        steps: [
          'Renew them as you do for kubectl (the login of your cloud, a new token), then try again: the kubeconfig is read again each time.',
        ],
      };
    case 'sandbox.in-use':
      return {
        state: 'warn',
        title: `The sandbox ${name} is open elsewhere`,
        steps: ['Wait until that process ends, or stop it. Then try again.', 'Or take another sandbox.'],
      };
    default:
      return { state: 'bad', title: `${name} cannot be shown`, steps: ['Try again; the log says more.'] };
  }
}
