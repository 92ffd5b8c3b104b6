/** Protocols for commands in containers over a WebSocket. v5 differs only in how standard input is closed, which is not used here. */
export const execProtocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** The first byte of each message (client-go tools/remotecommand/websocket.go). */
export const execChannel = { stdout: 1, stderr: 2, status: 3 } as const;
