/** The hooks of cgroup2 and their numbers for a link (enum bpf_attach_type of linux/bpf.h). */
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

/** What each interface gets, of a pod or of the network: `outgoing` sees what the host's stack sends. */
export const interfacePrograms = ['incoming', 'outgoing'] as const;

export type InterfaceProgram = (typeof interfacePrograms)[number];

export type ProgramName = SocketHook | InterfaceProgram;

export const programNames: readonly ProgramName[] = [
  ...(Object.keys(socketHooks) as SocketHook[]),
  ...interfacePrograms,
];
