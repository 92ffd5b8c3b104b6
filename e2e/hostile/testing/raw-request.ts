/** A request to be sent as it is: `headers` unchanged and in this order, without a Content-Length unless they contain one. */
export type RawRequest = {
  method: string;
  target: string;
  version?: '1.0' | '1.1';
  hosts: readonly string[];
  headers: readonly (readonly [string, string])[];
  body?: string;
};

export function bytesOf({ method, target, version = '1.1', hosts, headers, body = '' }: RawRequest): string {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    ...hosts.map((host) => `Host: ${host}`),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** The request in one line, for messages. Long headers are cut. */
export function inWords({ method, target, hosts, headers }: RawRequest): string {
  const headerTexts = headers.map(([name, value]) => `${name}: ${value.slice(0, 80)}`);
  return [`${method} ${target.slice(0, 200)}`, ...hosts.map((host) => `Host: ${host}`), ...headerTexts]
    .join(' | ')
    .slice(0, 900);
}
