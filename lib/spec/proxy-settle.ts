/** Seconds after which kube-proxy has written its rules where nobody sees them: a minute, and 10 ms for each Service (operations.md › Proxy is back). */
export function proxySettleSeconds(services: number): number {
  return 60 + services / 100;
}
