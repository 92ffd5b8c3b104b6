import type { ExecResult } from '#lib/kube/index.ts';
import { ipvs, names, programsCommand, serviceMaps } from '#lib/spec/index.ts';
import { ipvsNatTable, ipvsTable, natDump, natTable, type ServicePort } from './service-rules.ts';

type Ports = readonly ServicePort[];
/** What each way of handling Services has in a node's kernel; null: nothing. */
export type NodeServices = Record<'iptables' | 'nftables' | 'ipvs' | 'bpf', Ports | null>;

/** The commands that somebody has a reason to run. Others are not found. */
const commands: readonly {
  container: string;
  command: string;
  /** It takes a path as one more argument. */
  on?: 'a path';
  run: (services: NodeServices) => ExecResult;
}[] = [
  {
    container: names.kubeProxyDaemonSet,
    command: 'iptables-save -t nat',
    run: ({ iptables, ipvs }) => printed(iptables === null && ipvs !== null ? ipvsNatTable() : natTable(iptables)),
  },
  {
    container: names.kubeProxyDaemonSet,
    command: 'nft list table ip kube-proxy',
    run: ({ nftables }) =>
      nftables
        ? printed(nftTable(nftables))
        : failed('Error: No such file or directory\nlist table ip kube-proxy\n              ^^^^^^^^^^', 1),
  },
  {
    container: names.kubeProxyDaemonSet,
    command: ['cat', ...ipvs.files].join(' '),
    run: (node) => printed(`${devices(node.ipvs !== null)}${ipvsTable(node.ipvs)}`),
  },
  {
    container: names.nodeContainer,
    command: serviceMaps.command.join(' '),
    run: ({ bpf }) => (bpf ? printed(natDump(bpf)) : failed('Failed to get NAT map: no such file or directory', 1)),
  },
  {
    container: names.nodeContainer,
    command: programsCommand.join(' '),
    on: 'a path',
    run: ({ bpf }) => printed(attachedPrograms(bpf)),
  },
];

/** `/proc/net/dev` without its counters. */
function devices(hasIpvs: boolean): string {
  const names = ['lo', 'eth0', ...(hasIpvs ? [ipvs.device] : [])];
  return ['Inter-|   Receive', ' face |bytes', ...names.map((name) => `${name.padStart(6)}:       0`), ''].join('\n');
}

/** As bpftool lists them on a node with one network card: the agent attaches its programs to the card and to its own devices. */
function attachedPrograms(bpf: Ports | null): string {
  const attached = bpf !== null;
  const on = ['eth0', 'lo', 'vxlan.calico'].flatMap((devname, index) =>
    ['ingress', 'egress'].map((way, offset) => ({
      devname,
      ifindex: index + 2,
      kind: `tcx/${way}`,
      name: 'cali_tc_preambl',
      prog_id: 100 + index * 2 + offset,
    })),
  );
  const hooks = ['connect', 'sendmsg', 'recvmsg'].map((hook, index) => ({
    id: 90 + index,
    attach_type: `cgroup_inet4_${hook}`,
    name: `calico_${hook}_`,
  }));
  const own = [...hooks, ...on.map(({ prog_id: id, name }) => ({ id, name }))].map(({ id, name }) => ({ id, name }));
  // A program of a container, which guards its devices.
  const programs = [{ id: 12, name: 'sd_devices' }, ...(attached ? own : [])];
  return [[{ xdp: [], tc: attached ? on : [] }], programs, attached ? hooks : [], bpf && bpf.length > 0]
    .map((part) => `${JSON.stringify(part)}\n`)
    .join('');
}

function nftTable(ports: Ports): string {
  const rules = ports.map(
    ({ clusterIP, protocol, port, name }) =>
      `\t\t     ${clusterIP} . ${protocol.toLowerCase()} . ${port} : goto service-${name.replaceAll(/[/:]/g, '-')},`,
  );
  return ['table ip kube-proxy {', '\tmap service-ips {', '\t\telements = {', ...rules, '\t\t}', '\t}', '}', ''].join(
    '\n',
  );
}

const printed = (stdout: string): ExecResult => ({ stdout, stderr: '', exitCode: 0 });
const failed = (stderr: string, exitCode: number): ExecResult => ({ stdout: '', stderr: `${stderr}\n`, exitCode });

export function runCommand(container: string, command: string, services: NodeServices): ExecResult {
  const known = commands.find(
    (each) =>
      each.container === container && (each.on ? command.startsWith(`${each.command} /`) : command === each.command),
  );
  if (known) return known.run(services);
  return failed(`exec: "${command.split(' ')[0] ?? ''}": executable file not found in $PATH`, 127);
}
