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

export type ProgramName = SocketHook;

export const programNames = Object.keys(socketHooks) as readonly ProgramName[];
