import { serviceSubnet } from '#lib/sandbox/parts.ts';
import { kubeletPort } from '../egress.ts';
import type { PlanePaths } from './paths.ts';

/** The flags that each program of a control plane is started with. */

export function etcdArguments({ data, client, peer }: { data: string; client: string; peer: string }): string[] {
  return [
    `--data-dir=${data}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** Collected less often it takes an eighth less of a core to make a cluster (measured), and half a gigabyte more. */
export const apiServerEnvironment = { GOGC: '400', GOMEMLIMIT: '1GiB' };

export function apiServerArguments(path: PlanePaths, { etcd, port }: { etcd: string; port: number }): string[] {
  return [
    `--etcd-servers=${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--cert-dir=${path.pki}`,
    `--egress-selector-config-file=${path.egressConfig}`,
    `--token-auth-file=${path.tokens}`,
    '--authorization-mode=Node,RBAC',
    '--anonymous-auth=true',
    `--service-account-key-file=${path.serviceAccountPublic}`,
    `--service-account-signing-key-file=${path.serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-cluster-ip-range=${serviceSubnet}`,
    '--allow-privileged=true',
    '--endpoint-reconciler-type=none',
    // The default order begins with Hostname, which our own proxy could not tell from a name out in the world.
    '--kubelet-preferred-address-types=InternalIP',
    '--profiling=false',
    '--enable-aggregator-routing=false',
    // Nobody is to wait here for others to be served; to keep account of it takes more than a tenth of the server's start, as does each of its requests.
    '--enable-priority-and-fairness=false',
    '--etcd-count-metric-poll-period=0',
  ];
}

/** Nobody asks these programs anything: for a port of its own each would make four RSA keys at its start, a third of a second of the processor. */
const withoutPort = '--secure-port=0';

export function controllerManagerArguments(path: PlanePaths): string[] {
  return [
    `--kubeconfig=${path.admin}`,
    withoutPort,
    `--service-account-private-key-file=${path.serviceAccountKey}`,
    `--root-ca-file=${path.certificate}`,
    '--use-service-account-credentials=false',
    '--leader-elect=false',
    '--controllers=*,-nodeipam,-cloud-node-lifecycle-controller',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
    '--concurrent-gc-syncs=10',
  ];
}

export function schedulerArguments(path: PlanePaths): string[] {
  return [
    `--kubeconfig=${path.admin}`,
    withoutPort,
    '--leader-elect=false',
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
}

export function kwokArguments(path: PlanePaths, { config, port }: { config: string; port: number }): string[] {
  return [
    `--kubeconfig=${path.admin}`,
    `--config=${config}`,
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
    `--node-port=${kubeletPort}`,
    `--server-address=127.0.0.1:${port}`,
    '--cidr=192.168.0.0/16',
  ];
}
