/** Kernels that are new enough but were built without a part that eBPF mode needs. */
export type KernelFlavour = {
  readonly id: string;
  /** Matches `uname -r`. */
  readonly pattern: RegExp;
  readonly lacks: string;
  readonly source: string;
  /** When the source was read. */
  readonly read: string;
};

export const kernelFlavours: readonly KernelFlavour[] = [
  {
    id: 'ubuntu-kvm',
    pattern: /^\d[\d.]*-\d+-kvm$/,
    lacks: 'traffic control (clsact and cls_bpf), to which eBPF programs are attached',
    source:
      'kubernetes-sigs/kubespray docs/CNI/calico.md (Enabling eBPF support: CONFIG_NET_SCHED); cilium/cilium#14753',
    read: '2026-11-23',
  },
];

export function kernelFlavourOf(kernel: string): KernelFlavour | null {
  return kernelFlavours.find(({ pattern }) => pattern.test(kernel.trim())) ?? null;
}
