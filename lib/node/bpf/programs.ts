/** The socket hooks of cgroup2, with their numbers in enum bpf_attach_type of linux/bpf.h. */
export const socketHooks = {
  connect4: 10,
  connect6: 11,
  sendmsg4: 14,
  sendmsg6: 15,
  recvmsg4: 19,
  recvmsg6: 20,
  getpeername4: 29,
  getpeername6: 30,
} as const;

export type SocketHook = keyof typeof socketHooks;

/** The programs of each interface of a pod or the network. `outgoing` sees what the host's stack sends. */
export const interfacePrograms = ['incoming', 'outgoing'] as const;

export type InterfaceProgram = (typeof interfacePrograms)[number];

export type ProgramName = SocketHook | InterfaceProgram;

/** Hooks that may be missing: before Linux 5.8 there are none for getpeername(), which then returns the backend's address. */
export type OptionalHook = 'getpeername4' | 'getpeername6';

/** Whether a kernel may lack the hook of this program. */
export const isOptional = (name: ProgramName): name is OptionalHook =>
  name === 'getpeername4' || name === 'getpeername6';

export const programNames: readonly ProgramName[] = [
  ...(Object.keys(socketHooks) as SocketHook[]),
  ...interfacePrograms,
];

/** BPF_PROG_TYPE_CGROUP_SOCK_ADDR and BPF_PROG_TYPE_SCHED_CLS of linux/bpf.h. */
export const programTypes = { socket: 18, interface: 3 } as const;

/** The type of a program, which decides the helpers that it may call. */
export const typeOfProgram = (name: ProgramName): number =>
  name in socketHooks ? programTypes.socket : programTypes.interface;

/** BPF_FUNC_set_retval of linux/bpf.h. */
const setRetval = 187;

/** Variants that are loaded where a kernel lacks a helper that the normal program calls (bpf/socket.h). */
export const plainer: Partial<Readonly<Record<ProgramName, { readonly inC: string; readonly lacking: number }>>> = {
  connect4: { inC: 'connect4_plain', lacking: setRetval },
  connect6: { inC: 'connect6_plain', lacking: setRetval },
};
