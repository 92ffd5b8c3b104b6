/** The highest number of a port of TCP, UDP and SCTP: 16 bits (RFC 9293 §3.1, RFC 768). */
export const highestPort = 65_535;

/** What a server can listen on and a client can reach. A program that asks for port 0 gets any. */
export const portRange = `1 to ${highestPort}`;

/** Whether a number is a port in `portRange`; false for null, fractions and 0. */
export function isPort(port: number | null): port is number {
  return port !== null && Number.isInteger(port) && port >= 1 && port <= highestPort;
}

/** A port as a person or a file writes it; null for any other text. No sign and no leading zero: what it is written into may read `0443` as octal, or refuse it. */
export function portOf(text: string): number | null {
  return /^[1-9]\d{0,4}$/.test(text) && isPort(Number(text)) ? Number(text) : null;
}
