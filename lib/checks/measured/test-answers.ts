import type { NodeTest } from '#lib/spec/index.ts';

/**
 * For each test on a node: what it reads there (lib/probe/scripts/probe.sh; lib/probe/line.ts has the lines), and the checks that it answers (checks.md,
 * rows marked *probe*).
 */
export const testAnswers: Readonly<Record<NodeTest, { readonly reads: string; readonly answers: readonly string[] }>> =
  {
    'endpoint-from-host': {
      reads: 'the API address, each of its addresses, and the API servers behind it: connections',
      answers: ['endpoint.reachable', 'endpoint.resolvable'],
    },
    'endpoint-from-pod': {
      reads: 'the same, on the network of pods',
      answers: ['endpoint.reachable', 'endpoint.resolvable'],
    },
    'services-from-host': {
      reads: 'the ClusterIP of the API: a connection; cluster DNS: a question over UDP and TCP',
      answers: ['network.services-answer'],
    },
    'services-from-pod': { reads: 'the same, on the network of pods', answers: ['network.services-answer'] },
    programs: {
      reads:
        'bpftool feature probe; /proc/sys/kernel/osrelease, net.core.bpf_jit_enable, /sys/kernel/btf, /proc/meminfo',
      answers: ['node.bpf-loads'],
    },
    mounts: { reads: '/proc/1/mountinfo, /proc/filesystems, whether folders can be written', answers: ['node.mounts'] },
    interfaces: { reads: 'ip addr, ip route', answers: ['node.interfaces'] },
    'vlan-devices': { reads: 'ip addr, ip route', answers: ['feature.vlan-devices'] },
    'service-proxy': { reads: '/proc/PID/comm and cgroup', answers: ['proxy.detected'] },
    ipvs: {
      reads: '/sys/class/net/kube-ipvs0, /proc/net/ip_vs, what kube-proxy is set to and says',
      answers: ['proxy.not-ipvs'],
    },
    'health-port': { reads: '/proc/net/tcp and tcp6, /proc/PID/exe', answers: ['proxy.health-port'] },
    vxlan: { reads: 'frames that came out of tunnels of its own', answers: ['network.vxlan-between-nodes'] },
    'full-size': { reads: 'the largest of these frames', answers: ['network.mtu'] },
    checksums: { reads: 'answers (ICMP) to what was sent through the tunnels', answers: ['network.offload'] },
    'foreign-source': { reads: 'frames that came out of a tunnel of its own', answers: ['network.dsr-fabric'] },
    images: { reads: 'the state of containers, as the kubelet tells it', answers: ['image.pullable'] },
  };
